/** Owns observable values of pages. */
import { useEffect, useState } from 'preact/hooks'

/** Value with change notification. */
export class Store<T> {
  private readonly watchers = new Set<() => void>()

  constructor(private current: T) {}

  get value(): T {
    return this.current
  }

  set(next: T): void {
    if (next === this.current) return
    this.current = next
    for (const watcher of this.watchers) watcher()
  }

  change(part: Partial<T>): void {
    this.set({ ...this.current, ...part })
  }

  watch(watcher: () => void): () => void {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }
}

/** Value of a store; the component is rendered again on a change, at most once per `everyMs`. */
export function useStore<T>(store: Store<T>, everyMs = 0): T {
  const [, draw] = useState(0)
  useEffect(() => {
    let timer: number | undefined
    let drawnMs = 0
    const redraw = (): void => {
      timer = undefined
      drawnMs = performance.now()
      draw((count) => count + 1)
    }
    const changed = (): void => {
      timer ??= window.setTimeout(redraw, Math.max(0, drawnMs + everyMs - performance.now()))
    }
    const stop = store.watch(changed)
    // Changes between render and subscription.
    changed()
    return () => {
      stop()
      window.clearTimeout(timer)
    }
  }, [store, everyMs])
  return store.value
}
