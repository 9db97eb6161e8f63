/** Owns the review of a proposal before approval: its instructions, after a check that its id matches them. */

import { clientCodec } from '../../features/composed.js'
import { proposalId, proposalView } from '../../features/multisig/schema.js'
import { anyInstruction, formatAddress, LedgerError, parseAddress, storedInstructions } from '../../model/index.js'
import { getJson } from '../gateway/gateway.js'
import type { Drafting } from './command.js'

/**
 * Instructions of a proposal as lines. Throws `proof_invalid` unless the approved id matches the account and these
 * instructions.
 */
export async function proposalLines(drafting: Drafting, account: string, proposal: string): Promise<string[]> {
  const { client, codec, reading } = drafting
  const answer = await getJson(client, ({ multisig }) => multisig.proposal, { params: { account, proposal } })
  const decoded = proposalView.fromJson(answer, codec)
  if (!decoded.ok) throw new Error('a validated response does not match its schema')
  const { instructions, transaction, proposer, weight, quorum } = decoded.value
  const owner = parseAddress(account, codec.addressPrefix)
  const content = storedInstructions.encode(instructions, clientCodec(''))
  if (owner === undefined || proposalId(owner, content, transaction).toString('hex') !== proposal) {
    throw new LedgerError('proof_invalid', `the gateway returned a different proposal than ${proposal}`, {
      hint: 'Ask another node; nothing was signed.',
      details: { account, proposal },
    })
  }
  const by = formatAddress(proposer, codec.addressPrefix ?? '')
  const jsonForms = instructions.map((one) => anyInstruction.toJson(one, codec))
  const reader = await reading([...jsonForms, by])
  return [
    `approving the proposal of ${reader.names.named(by)}, with ${weight} of ${quorum} so far:`,
    ...jsonForms.flatMap((one) => reader.lines(one)).map((line) => `  ${line}`),
  ]
}
