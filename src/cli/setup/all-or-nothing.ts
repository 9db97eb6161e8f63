/** Owns commands that make several files: all of them are there afterwards, or none. */
import { rm } from 'node:fs/promises'

/** Runs work that names what it made; when it fails, that is removed again, the latest first. */
export async function allOrNothing<T>(work: (made: (path: string) => void) => Promise<T>): Promise<T> {
  const paths: string[] = []
  try {
    return await work((path) => paths.push(path))
  } catch (error) {
    // The fault of the work is what counts; what cannot be removed stays.
    for (const path of paths.reverse()) await rm(path, { recursive: true, force: true }).catch(() => undefined)
    throw error
  }
}
