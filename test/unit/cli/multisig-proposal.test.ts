/** Approval of a proposal by a member: only the id is signed, so the shown content must be that of the id. */
import { describe, expect, test } from 'vitest'
import type { Drafting } from '../../../src/cli/ledger/command.js'
import { proposalLines } from '../../../src/cli/ledger/multisig-proposal.js'
import { InstructionReader } from '../../../src/cli/transaction/instructions.js'
import type { Json } from '../../../src/codec/index.js'
import { clientCodec } from '../../../src/features/composed.js'
import { type ProposalView, proposalId, proposalView } from '../../../src/features/multisig/schema.js'
import { formatAddress, instructionsOf, storedInstructions } from '../../../src/model/index.js'
import { accountOf, alice, bob, CODEC } from '../gateway/support.js'

const board = accountOf(bob)
const address = formatAddress(board)
const pay = (amount: string): Json => ({
  Transfer: { asset: { definition: 'eur#bank', account: address }, to: formatAddress(accountOf(alice)), amount },
})
const view = (amount: string, changes: Partial<ProposalView> = {}): ProposalView => {
  const instructions = instructionsOf([pay(amount)], CODEC)
  const transaction = Buffer.alloc(32, 7)
  return {
    account: board,
    proposal: proposalId(board, storedInstructions.encode(instructions, clientCodec('')), transaction),
    status: 'open',
    proposer: accountOf(alice),
    transaction,
    instructions,
    approvals: [accountOf(alice)],
    weight: 1,
    quorum: 2,
    createdMs: 1,
    expiresMs: 2,
    closedMs: undefined,
    ...changes,
  }
}
/** The lines of a proposal with this id, where a gateway shows `shown`. */
const lines = (id: Uint8Array, shown: ProposalView): Promise<string[]> => {
  const client = { json: async () => proposalView.toJson(shown, CODEC) }
  const reading = async () => new InstructionReader(CODEC)
  return proposalLines(
    { client, codec: CODEC, reading } as unknown as Drafting,
    address,
    Buffer.from(id).toString('hex'),
  )
}

test('the instructions of a proposal are shown with its proposer', async () => {
  const honest = view('1.5')
  expect(await lines(honest.proposal, honest)).toEqual([
    `approving the proposal of ${formatAddress(accountOf(alice))}, with 1 of 2 so far:`,
    `  Transfer 1.5 eur#bank from ${address} to ${formatAddress(accountOf(alice))}`,
  ])
})

describe('a gateway response with', () => {
  const { proposal } = view('1.5')
  test.each([
    ['other instructions under the same id', view('0.01', { proposal })],
    ['another proposal with an id of its own', view('0.01')],
    ['another transaction that proposed it', view('1.5', { proposal, transaction: Buffer.alloc(32, 8) })],
  ])('%s is refused', async (_what, shown) => {
    await expect(lines(proposal, shown)).rejects.toMatchObject({ code: 'proof_invalid' })
  })
})
