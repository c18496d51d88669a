// SPDX-License-Identifier: MIT

// Viridis at nine places (Smith and van der Walt, 2015): even steps of lightness, for every kind of eye.
const VIRIDIS = [
  [68, 1, 84],
  [71, 44, 122],
  [59, 81, 139],
  [44, 113, 142],
  [33, 144, 141],
  [39, 173, 129],
  [92, 200, 99],
  [170, 220, 50],
  [253, 231, 37],
];

/** The colour (sRGB, 0 to 1) of a number from 0 to 1; beyond, that of the nearer end. */
export function heat(value: number): [number, number, number] {
  const place = Math.min(1, Math.max(0, value)) * (VIRIDIS.length - 1);
  const low = Math.min(VIRIDIS.length - 2, Math.floor(place));
  const part = place - low;
  return VIRIDIS[low].map((from, i) => (from + (VIRIDIS[low + 1][i] - from) * part) / 255) as [number, number, number];
}

/** A hidden coordinate from −1 to 1: cool below, warm above (Moreland, "Diverging Color Maps for Scientific Visualization", 2009; linear RGB);
 * `middle`: the grey between, which must stand out from the background. */
export function hidden(value: number, middle: number, out: Float32Array, at: number): void {
  const amount = Math.min(Math.abs(value), 1);
  const end = value < 0 ? COOL : WARM;
  for (let i = 0; i < 3; ++i) out[at + i] = middle + amount * (end[i] - middle);
}

/** The same as CSS writes it. */
export function hiddenStyle(value: number, middle: number): string {
  const linear = new Float32Array(3);
  hidden(value, middle, linear, 0);
  const [r, g, b] = Array.from(linear, (part) => Math.round(255 * (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055)));
  return `rgb(${r}, ${g}, ${b})`;
}

const COOL = [0.0436, 0.13, 0.75];
const WARM = [0.75, 0.02, 0.03];
