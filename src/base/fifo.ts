/** Owns the first-in, first-out list with constant-time operations. */

/** Number of freed slots at which the list is compacted. */
const SPARE_MAX = 1024

/** List that is read at one end and written at the other. */
export class Fifo<T> {
  private items: (T | undefined)[] = []
  private first = 0

  get length(): number {
    return this.items.length - this.first
  }

  /** First item; undefined if empty. */
  get head(): T | undefined {
    return this.items[this.first]
  }

  push(item: T): void {
    this.items.push(item)
  }

  /** Remove and return the first item; undefined if empty. */
  shift(): T | undefined {
    if (this.first === this.items.length) return undefined
    const item = this.items[this.first]
    this.items[this.first] = undefined
    this.first += 1
    if (this.first === this.items.length || (this.first > SPARE_MAX && 2 * this.first > this.items.length)) {
      this.items = this.items.slice(this.first)
      this.first = 0
    }
    return item
  }
}
