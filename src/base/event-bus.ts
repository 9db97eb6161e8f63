/** Owns a typed event bus inside one process: publishers and subscribers depend on the events only. */

/** Bus of events. `E`: the type of the value of each event, by name. */
export class EventBus<E extends object> {
  private readonly listeners = new Map<keyof E, Set<(value: never) => void>>()

  /** Subscribe to the events of a name, called in the order of the subscriptions; returns the unsubscribe function. */
  on<K extends keyof E>(name: K, listener: (value: E[K]) => void): () => void {
    const set = this.listeners.get(name) ?? new Set()
    this.listeners.set(name, set)
    set.add(listener)
    return () => set.delete(listener)
  }

  /**
   * Call every subscriber of an event synchronously. An error of one is thrown, and later subscribers are not called.
   */
  emit<K extends keyof E>(name: K, value: E[K]): void {
    for (const listener of this.listeners.get(name) ?? []) (listener as (value: E[K]) => void)(value)
  }
}
