/** The digest of a ballot is computed from the instructions that are shown, not taken from a gateway. */
import { describe, expect, it } from 'vitest'
import { checkedProposal } from '../../../src/cli/gov/proposal.js'
import type { Drafting } from '../../../src/cli/ledger/command.js'
import type { Json } from '../../../src/codec/index.js'
import { clientCodec } from '../../../src/features/composed.js'
import { contentDigest } from '../../../src/features/gov/schema/records.js'
import { type ProposalView, proposalView } from '../../../src/features/gov/schema/views.js'
import { type Instruction, storedInstructions } from '../../../src/model/index.js'
import { alice, setParameter, track } from '../../support/gov.js'

const CHAIN = 'test-chain'
const codec = clientCodec('cw')
const zero = { mantissa: 0n, scale: 0 }
const rules = track()
const tally = {
  aye: zero,
  nay: zero,
  ayes: zero,
  nays: zero,
  abstains: zero,
  base: { mantissa: 4n, scale: 0 },
  quorum: zero,
  approvalBps: 5_000,
  isQuorate: false,
  isApproved: false,
}
const digestOf = (list: readonly Instruction[]): Buffer =>
  contentDigest({
    chain: CHAIN,
    number: 1,
    trackId: 0,
    track: rules,
    instructions: storedInstructions.encode(list, clientCodec('')),
  })
const viewOf = (list: readonly Instruction[], digest: Uint8Array): ProposalView => ({
  proposal: 1,
  track: 0,
  trackName: 'main',
  title: 'Slower',
  proposer: alice,
  status: 'voting',
  digest,
  tally,
  submittedMs: 1,
  votingFromMs: 1,
  endMs: 2,
  enactFromMs: undefined,
  enactUntilMs: undefined,
  closedMs: undefined,
  dueMs: 2,
  attempts: 0,
  error: undefined,
  deposit: undefined,
  isVetoable: true,
  summary: '',
  link: undefined,
  rules,
  instructions: list,
  instructionBytes: 1,
  height: 1,
})
/** Context in which a command drafts, with a gateway that returns this proposal. */
const drafting = (view: ProposalView, chain = CHAIN): Drafting =>
  ({
    client: { json: async (): Promise<Json> => proposalView.toJson(view, codec), chain: async () => ({ chain }) },
    codec,
    reading: async () => ({ lines: (jsonForm: Json) => [JSON.stringify(jsonForm)] }),
  }) as unknown as Drafting

const list = [setParameter('block_time_ms', 50)]
const other = [setParameter('block_time_ms', 60)]

describe('the proposal of a vote', () => {
  it('is verified by the digest of its instructions, which are shown', async () => {
    const { digest, lines } = await checkedProposal(drafting(viewOf(list, digestOf(list))), 1)
    expect(digest).toBe(digestOf(list).toString('hex'))
    expect(lines.join('\n')).toContain('block_time_ms')
  })

  it('is refused with proof_invalid if the gateway shows other instructions, another number or another chain', async () => {
    const view = viewOf(other, digestOf(list))
    await expect(checkedProposal(drafting(view), 1)).rejects.toMatchObject({ code: 'proof_invalid' })
    const honest = viewOf(list, digestOf(list))
    await expect(checkedProposal(drafting(honest), 2)).rejects.toMatchObject({ code: 'proof_invalid' })
    await expect(checkedProposal(drafting(honest, 'other-chain'), 1)).rejects.toMatchObject({ code: 'proof_invalid' })
  })
})
