/** Owns the timers of consensus: one per name, replaced when armed again. */
import type { EffectOf, TimerName } from '../../consensus/index.js'

/** Timers of the state machine. */
export class ConsensusTimers {
  private readonly armed = new Map<TimerName, NodeJS.Timeout>()

  constructor(private readonly fire: (name: TimerName, height: number, view: number) => void) {}

  arm(effect: EffectOf<'arm'>): void {
    this.disarm(effect.name)
    // Members must not fire in step; the machine sets the share, this node draws the value.
    const delayMs = effect.delayMs * (1 + effect.jitter * Math.random())
    const timer = setTimeout(() => {
      this.armed.delete(effect.name)
      this.fire(effect.name, effect.height, effect.view)
    }, delayMs)
    this.armed.set(effect.name, timer)
  }

  disarm(name: TimerName): void {
    const timer = this.armed.get(name)
    if (timer !== undefined) clearTimeout(timer)
    this.armed.delete(name)
  }

  close(): void {
    for (const name of [...this.armed.keys()]) this.disarm(name)
  }
}
