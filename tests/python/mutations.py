# SPDX-License-Identifier: MIT
"""Randomly broken files; the same generator gives the same files."""

NUMBERS = [b"-1", b"0", b"1e308", b"4294967295", b"0.5", b"null", b"[]", b"{}", b'""', b"65536"]


def mutated(data, chance, numbers=NUMBERS):
    """The bytes with some of them changed; `numbers` stand where a number of the JSON stood."""
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        if not data:
            break
        at = chance.randrange(len(data))
        kind = chance.randrange(6)
        if kind == 0:
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            data[at] = chance.randrange(256)
        elif kind == 2:
            del data[at:]
        elif kind == 3:
            del data[at:at + chance.randrange(1, 64)]
        elif kind == 4:
            data[at:at] = data[chance.randrange(len(data)):][:chance.randrange(1, 64)]
        else:  # a number of the JSON, where there is one behind the place
            start = next((i for i in range(at, min(at + 400, len(data))) if 48 <= data[i] <= 57), None)
            if start is not None:
                end = start
                while end < len(data) and data[end] in b"0123456789.e+-":
                    end += 1
                data[start:end] = chance.choice(numbers)
    return bytes(data)
