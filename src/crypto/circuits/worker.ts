/** Owns the entry of the proof thread: batches of claims, one after the other. */
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { serveJobs } from '../job-thread.js'
import { unpackClaim } from './packed.js'
import { type CheckedProof, checkProofs } from './verify.js'

/** Votes and payments go first where cores are short: niceness of the thread, of 0 to 19. */
const NICENESS = 10

/** Linux keeps a priority for each thread; elsewhere, and where it may not be changed, it stays that of the process. */
function yieldToOthers(): void {
  try {
    const [, , thread] = readlinkSync('/proc/thread-self').split('/')
    if (thread !== undefined) setPriority(Number(thread), NICENESS)
  } catch {
    // What is verified is the same, only who waits differs.
  }
}

yieldToOthers()
serveJobs((packed: readonly Uint8Array[]): CheckedProof[] => checkProofs(packed.map(unpackClaim)))
