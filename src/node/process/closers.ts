/** Owns the opened resources: closed in reverse order, if a later one cannot be opened and at the end. */

type Step = () => Promise<void> | void

/** Close opened resources in reverse order; every step runs even if another fails. */
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

/** Open several resources. If one fails, the earlier ones are closed, so that files and locks are free for a retry. */
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
