/** Owns what was opened so far: it is closed last first, where a later part cannot be opened and when all of it ends. */

type Step = () => Promise<void> | void

/** Undoes what was opened, last first; every step runs even when another fails. */
export class Closers {
  private steps: Step[] = []

  add(step: Step): void {
    this.steps.push(step)
  }

  /** From now on one thing closes all that was opened before. */
  become(step: Step): void {
    this.steps = [step]
  }

  async run(onFault: (error: unknown) => void): Promise<void> {
    for (const step of this.steps.splice(0).reverse()) {
      try {
        await step()
      } catch (error) {
        onFault(error)
      }
    }
  }
}

/** Opens something of several parts. Where one cannot be opened, those before are closed: who tries again finds files and locks free. */
export async function openAll<T>(open: (opened: Closers) => Promise<T>): Promise<T> {
  const opened = new Closers()
  try {
    return await open(opened)
  } catch (error) {
    // Why it could not be opened is what counts.
    await opened.run(() => undefined)
    throw error
  }
}
