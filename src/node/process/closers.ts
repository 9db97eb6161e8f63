/** Owns opened resources: they are closed in reverse order, at the end or if a later one cannot be opened. */

type Step = () => Promise<void> | void

/** Close opened resources in reverse order; every step runs even if another fails. */
export class Closers {
  private steps: Step[] = []

  add(step: Step): void {
    this.steps.push(step)
  }

  /** Replace all steps so far by one that closes everything opened before. */
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
    // The error of the failed opening is the relevant one.
    await opened.run(() => undefined)
    throw error
  }
}
