// SPDX-License-Identifier: MIT
// Exceptions, which Debian's C++ library for WebAssembly lacks: what the compiler calls with -fwasm-exceptions (Itanium C++ ABI, level II;
// "WebAssembly exception handling" in LLVM's libunwind and libc++abi). There is one thread. The virtual machine unwinds the frames; before
// a frame that has handlers runs, it asks here which of them takes the exception.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>
#include <utility>

namespace __cxxabiv1 {

/// As libc++abi declares it: the first virtual functions of all type_info.
class __shim_type_info : public std::type_info {
 public:
  ~__shim_type_info() override;
  virtual void noop1() const;
  virtual void noop2() const;
  virtual bool can_catch(const __shim_type_info* thrown, void*& adjusted) const = 0;
};

}  // namespace __cxxabiv1

namespace {

using Type = __cxxabiv1::__shim_type_info;

/// What is thrown; the object follows. One that throws the object of another one (std::rethrow_exception) is without an object.
struct alignas(16) Thrown {
  const Type* type;
  void* (*destroy)(void*);  ///< a destructor of this target returns its object
  Thrown* owner;            ///< whose object it is
  int references;           ///< to the object: of exceptions and of std::exception_ptr
  int handlers;             ///< that run; negative: thrown again
  Thrown* next_caught;
  void* adjusted;  ///< the object, as the handler's type
  [[nodiscard]] void* object() { return owner + 1; }
};

Thrown* caught = nullptr;  ///< the innermost first
int uncaught = 0;

Thrown* header_of(void* object) { return static_cast<Thrown*>(object) - 1; }

void release(Thrown* owner) {
  if (--owner->references != 0) return;
  if (owner->destroy != nullptr) owner->destroy(owner->object());
  std::free(owner);
}

[[noreturn]] void raise(Thrown* thrown) {
  ++uncaught;
  __builtin_wasm_throw(0, thrown);
}

// The tables of the compiler: numbers of seven bits a byte.
std::uintptr_t unsigned_number(const std::uint8_t*& at) {
  std::uintptr_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t byte = *at++;
    value |= static_cast<std::uintptr_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
}
std::intptr_t signed_number(const std::uint8_t*& at) {
  std::uintptr_t value = 0;
  for (unsigned shift = 0;;) {
    const std::uint8_t byte = *at++;
    value |= static_cast<std::uintptr_t>(byte & 0x7f) << shift;
    shift += 7;
    if ((byte & 0x80) != 0) continue;
    if ((byte & 0x40) != 0 && shift < 8 * sizeof(value)) value |= ~std::uintptr_t{0} << shift;
    return static_cast<std::intptr_t>(value);
  }
}

/// Returns the number of the handler that takes the exception, 0: none. `place`: which place of the function threw.
std::uintptr_t handler_of(const std::uint8_t* table, std::uintptr_t place, Thrown& thrown) {
  constexpr std::uint8_t none = 0xff;
  if (*table++ != none) std::abort();  // a base of places, which this target does not have
  const std::uint8_t* types = nullptr;
  if (*table++ != none) {
    const std::uintptr_t offset = unsigned_number(table);
    types = table + offset;
  }
  ++table;  // how places are stored: as unsigned_number reads them
  const std::uintptr_t size = unsigned_number(table);
  const std::uint8_t* const actions = table + size;
  for (std::uintptr_t i = 0; i < place; ++i) static_cast<void>(unsigned_number(table)), static_cast<void>(unsigned_number(table));
  static_cast<void>(unsigned_number(table));
  const std::uintptr_t first = unsigned_number(table);
  if (first == 0) return 0;  // destructors alone
  for (const std::uint8_t* action = actions + (first - 1);;) {
    const std::intptr_t number = signed_number(action);
    if (number > 0) {
      const Type* type = nullptr;
      std::memcpy(&type, types - static_cast<std::size_t>(number) * sizeof(type), sizeof(type));
      void* object = thrown.object();
      if (type == nullptr || type->can_catch(thrown.type, object)) {
        thrown.adjusted = object;
        return static_cast<std::uintptr_t>(number);
      }
    }
    const std::uint8_t* next = action;
    const std::intptr_t step = signed_number(next);
    if (step == 0) return 0;
    action += step;
  }
}

}  // namespace

extern "C" {

/// What the code of a handler writes before the call, and reads after it.
struct {
  std::uintptr_t place;
  const std::uint8_t* table;
  std::uintptr_t handler;
} __wasm_lpad_context;

int _Unwind_CallPersonality(void* thrown) {
  __wasm_lpad_context.handler = handler_of(__wasm_lpad_context.table, __wasm_lpad_context.place, *static_cast<Thrown*>(thrown));
  return 0;
}
int __gxx_personality_wasm0(...) { std::abort(); }  // the name that functions with handlers mention; _Unwind_CallPersonality does its work

void* __cxa_allocate_exception(std::size_t size) noexcept {
  void* const memory = std::calloc(1, sizeof(Thrown) + size);
  if (memory == nullptr) std::terminate();
  return static_cast<Thrown*>(memory) + 1;
}
void __cxa_free_exception(void* object) noexcept { std::free(header_of(object)); }

void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*)) {
  Thrown* const thrown = header_of(object);
  *thrown = {static_cast<const Type*>(type), destroy, thrown, 1, 0, nullptr, object};
  raise(thrown);
}

void* __cxa_get_exception_ptr(void* thrown) noexcept { return static_cast<Thrown*>(thrown)->adjusted; }

void* __cxa_begin_catch(void* exception) noexcept {
  auto* const thrown = static_cast<Thrown*>(exception);
  thrown->handlers = (thrown->handlers < 0 ? -thrown->handlers : thrown->handlers) + 1;
  if (thrown != caught) thrown->next_caught = std::exchange(caught, thrown);
  --uncaught;
  return thrown->adjusted != nullptr ? thrown->adjusted : thrown->object();
}

void __cxa_end_catch() {
  Thrown* const thrown = caught;
  if (thrown == nullptr) return;
  if (thrown->handlers < 0) {  // thrown again: it lives on
    if (++thrown->handlers == 0) caught = thrown->next_caught;
    return;
  }
  if (--thrown->handlers != 0) return;
  caught = thrown->next_caught;
  Thrown* const owner = thrown->owner;
  if (owner != thrown) std::free(thrown);
  release(owner);
}

void __cxa_rethrow() {
  Thrown* const thrown = caught;
  if (thrown == nullptr) std::terminate();
  thrown->handlers = -thrown->handlers;
  raise(thrown);
}

int __cxa_uncaught_exceptions() noexcept { return uncaught; }
bool __cxa_uncaught_exception() noexcept { return uncaught != 0; }

void __cxa_increment_exception_refcount(void* object) noexcept {
  if (object != nullptr) ++header_of(object)->references;
}
void __cxa_decrement_exception_refcount(void* object) noexcept {
  if (object != nullptr) release(header_of(object));
}
void* __cxa_current_primary_exception() noexcept {
  if (caught == nullptr) return nullptr;
  ++caught->owner->references;
  return caught->object();
}
void __cxa_rethrow_primary_exception(void* object) {
  if (object == nullptr) return;
  Thrown* const owner = header_of(object);
  auto* const thrown = static_cast<Thrown*>(std::calloc(1, sizeof(Thrown)));
  if (thrown == nullptr) std::terminate();
  *thrown = {owner->type, nullptr, owner, 0, 0, nullptr, object};
  ++owner->references;
  raise(thrown);
}

std::type_info* __cxa_current_exception_type() {
  return caught == nullptr ? nullptr : const_cast<std::type_info*>(static_cast<const std::type_info*>(caught->type));
}

}  // extern "C"
