import type { WireArgument } from './messages';

/** Functions that the other side may call, by name. */
export type Methods = Readonly<Record<string, (...args: never[]) => unknown>>;

const transfers = new WeakMap<object, readonly ArrayBuffer[]>();
const offers = new WeakSet<object>();

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const wholeBuffer = ({ buffer, byteLength }: ArrayBufferView): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];

/**
 * Marks an argument or a result, so that the memory of `views` moves to the other side instead of being copied.
 *
 * A view of a part of a buffer is copied, because its other parts belong to somebody else. Shared memory stays shared.
 */
export const transferring = <T extends object>(value: T, views: readonly ArrayBufferView[]): T => {
  transfers.set(value, views.flatMap(wholeBuffer));
  return value;
};

/** Marks an argument whose functions the other side may call until the call settles. */
export const offering = <T extends object>(value: T): T => {
  offers.add(value);
  return value;
};

/** The buffers that move with these values. */
export const buffersOf = (values: readonly unknown[]): ArrayBuffer[] =>
  values.filter(isObject).flatMap((value) => transfers.get(value) ?? []);

/** The offered functions among these arguments. */
export const offersOf = (args: readonly unknown[]): Methods =>
  Object.assign({}, ...args.filter((arg) => isObject(arg) && offers.has(arg))) as Methods;

export const toWire = (value: unknown): WireArgument => {
  if (value instanceof AbortSignal) return { kind: 'signal' };
  if (typeof value === 'function') return { kind: 'progress' };
  if (!isObject(value) || !offers.has(value)) return { kind: 'value', value };
  const entries = Object.entries(value);
  const isMethod = (property: unknown): boolean => typeof property === 'function';
  return {
    kind: 'offer',
    data: Object.fromEntries(entries.filter(([, property]) => !isMethod(property))),
    methods: entries.filter(([, property]) => isMethod(property)).map(([name]) => name),
  };
};
