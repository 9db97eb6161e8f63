/** Owns the entry point of the proof thread: batches of claims, one after the other. */
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { serveJobs } from '../job-thread.js'
import { unpackClaim } from './packed.js'
import { type CheckedProof, checkProofs } from './verify.js'

/** Niceness of the thread, from 0 to 19: votes and payments have priority on a busy machine. */
const NICENESS = 10

/**
 * Lower the priority of this thread. Only Linux has thread priorities; elsewhere, or without permission, it stays
 * unchanged.
 */
function yieldToOthers(): void {
  try {
    const [, , thread] = readlinkSync('/proc/thread-self').split('/')
    if (thread !== undefined) setPriority(Number(thread), NICENESS)
  } catch {
    // Only the scheduling differs, not the results.
  }
}

yieldToOthers()
serveJobs((packed: readonly Uint8Array[]): CheckedProof[] => checkProofs(packed.map(unpackClaim)))
