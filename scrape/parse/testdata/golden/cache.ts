import { Clock } from './clock';
import type { Key } from './key';

/** A store. */
export interface Store<T> {
  readonly size: number;
  get(key: Key): T;
  /** Is called for what is dropped. */
  onDrop: (key: Key) => void;
}

export type Mode = 'fast' | 'safe';
export enum Level { Low = 1, High }

namespace inner {
  export const depth = 1;
  export function dive(): void {}
}

@injectable()
export abstract class Cache<T> implements Store<T> {
  private readonly clock = new Clock();
  constructor(private items: Map<Key, T>) { super(); }
  abstract drop(key: Key): void;
  @logged
  get(key: Key): T { return this.items.get(key)!; }
  touch = (key: Key): void => this.clock?.now(key);
}

export function open(path: string): Cache<string>;
export function open(path: any): any { return make<string>(path); }
declare function make<T>(path: string): Cache<T>;
export default function () { return open('x'); }
