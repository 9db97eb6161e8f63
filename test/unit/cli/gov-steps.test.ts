/** Commands that make a step which a run of the chain may have made before them. */
import { describe, expect, it } from 'vitest'
import '../../../src/features/composed.js'
import { AFTER_ENACTMENT, AFTER_VOTE, madeBefore } from '../../../src/cli/gov/steps.js'
import { LedgerError } from '../../../src/model/index.js'

const notDue = new LedgerError('not_due', 'proposal 1 has no step')
const reads = (status: string) => async () => status

describe('a step that is not due', () => {
  it('was made before if the status of the proposal shows it', async () => {
    for (const status of ['approved', 'enacted', 'rejected', 'expired', 'failed'])
      expect(await madeBefore(notDue, AFTER_VOTE, reads(status))).toBe(status)
    expect(await madeBefore(notDue, AFTER_ENACTMENT, reads('enacted'))).toBe('enacted')
  })

  it('remains not_due before its time, and if the proposal was ended by other means', async () => {
    for (const status of ['lead', 'voting', 'withdrawn', 'cancelled'])
      await expect(madeBefore(notDue, AFTER_VOTE, reads(status))).rejects.toBe(notDue)
    for (const status of ['lead', 'voting', 'approved', 'rejected', 'expired', 'failed'])
      await expect(madeBefore(notDue, AFTER_ENACTMENT, reads(status))).rejects.toBe(notDue)
  })

  it('is the only rejection that counts as success', async () => {
    const other = new LedgerError('below_floor', 'max_tx_bytes')
    await expect(madeBefore(other, AFTER_VOTE, reads('enacted'))).rejects.toBe(other)
    const broken = new Error('broken')
    await expect(madeBefore(broken, AFTER_VOTE, reads('enacted'))).rejects.toBe(broken)
  })
})
