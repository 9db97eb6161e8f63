/** Owns waiting for something no longer than a while. */

/** Resolves when the work has ended or so many ms have passed, whichever is first; rejects where the work does so in time. */
export async function inTime(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
