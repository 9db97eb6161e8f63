/** Owns shared parts of the commands of bridge operators: signed decisions on held messages. */
import { Flags } from '@oclif/core'
import type { CausewayClient } from '../../client/index.js'
import { formatNumeric, type Json, type Numeric, parseNumeric } from '../../codec/index.js'
import { add } from '../../model/arithmetic.js'
import { LedgerError } from '../../model/errors.js'
import { getView, postView, textOf, type View, viewsOf, withGateway } from '../gateway/gateway.js'
import { accountFlag } from '../input/texts.js'
import type { Settings } from '../settings/settings.js'
import { confirm } from '../terminal/ask.js'
import type { Output } from '../terminal/output.js'
import { recordText, statusWords } from './iso.js'

/** Flags that select one of several messages with the same id. */
export const whichFlags = {
  family: Flags.option({
    options: ['pacs008', 'pacs009'] as const,
    description: 'family, if messages of both have this id',
  })(),
  submitter: accountFlag({
    description: 'address of the submitter, if several submitters have a message with this id',
  }),
}

/** Flags of a decision: the message, and the confirmation. */
export const decisionFlags = {
  ...whichFlags,
  place: Flags.integer({
    description: 'one payment of a message with several; without it all of its held payments',
    min: 1,
  }),
  'body-hash': Flags.string({ description: 'decide without asking, on the message whose body has this hash only' }),
  yes: Flags.boolean({
    char: 'y',
    description: 'decide without asking on the message that is currently held',
    exclusive: ['body-hash'],
  }),
}

interface DecisionFlags {
  readonly family: string | undefined
  readonly submitter: string | undefined
  readonly place: number | undefined
  readonly 'body-hash': string | undefined
  readonly yes: boolean
  readonly 'no-input': boolean
}

/**
 * Message with an id as shown to an operator: its entry in the list of held messages, else its status. For a message
 * with several payments, all held payments.
 */
async function heldMessage(
  client: CausewayClient,
  messageId: string,
  { family, submitter, place }: DecisionFlags,
): Promise<View> {
  const list = await getView(client, ({ iso20022 }) => iso20022.held)
  const items = viewsOf(list.items)
  const [first, ...others] = items.filter(
    (item) =>
      item.message_id === messageId &&
      (family === undefined || textOf(item.family)?.toLowerCase() === family) &&
      (submitter === undefined || item.submitter === submitter) &&
      (place === undefined || item.place === place),
  )
  if (first !== undefined && others.length === 0) return first
  if (first !== undefined && others.every((one) => one.place !== undefined && isSameMessage(one, first))) {
    return together([first, ...others])
  }
  const query = { ...(family && { family }), ...(submitter && { submitter }) }
  const texts = { params: { msg_id: messageId }, query }
  return await getView(client, ({ iso20022 }) => iso20022.status, texts)
}

const isSameMessage = (one: View, other: View): boolean =>
  one.family === other.family && one.submitter === other.submitter && one.body_hash === other.body_hash

/** Merge the held payments of one message into one record. */
function together(payments: readonly View[]): View {
  const [first = {}] = payments
  const currencies = new Set(payments.map(({ currency }) => textOf(currency)))
  const sum = payments.reduce<Numeric | undefined>((total, { amount }) => {
    const value = parseNumeric(textOf(amount) ?? '')
    return total && value && add(total, value)
  }, ZERO)
  return {
    ...first,
    place: undefined,
    attempt: Math.max(...payments.map(({ attempt }) => Number(attempt))),
    amount: sum === undefined || currencies.size > 1 ? undefined : formatNumeric(sum),
    detail: `${payments.length} of ${String(first.number_of_transactions)} payments are held`,
  }
}

const ZERO: Numeric = { mantissa: 0n, scale: 0 }

/**
 * Show the held message, ask for confirmation, and send the decision on exactly the shown message, signed with the
 * operator's key. Prints the record after the decision.
 */
export async function decide(
  settings: Settings,
  out: Output,
  messageId: string,
  decision: 'release' | 'refuse' | 'change',
  flags: DecisionFlags,
  fields: Readonly<Record<string, Json | undefined>> = {},
): Promise<void> {
  const { yes, 'body-hash': wanted, 'no-input': noInput } = flags
  const record = await withGateway(
    settings,
    async (client) => {
      const held = await heldMessage(client, messageId, flags)
      const { family, submitter, body_hash: bodyHash, attempt } = held
      const { place } = flags
      if (typeof bodyHash !== 'string' || typeof attempt !== 'number') {
        throw new LedgerError('iso_not_held', `message ${messageId} is not held: ${statusWords(held)}`)
      }
      if (wanted !== undefined && wanted.toLowerCase() !== bodyHash) {
        throw new LedgerError('iso_held_changed', `message ${messageId} has the body ${bodyHash}`)
      }
      if (wanted === undefined && !yes) {
        out.note(recordText(held))
        const amount =
          textOf(held.amount) === undefined ? 'several currencies' : `${textOf(held.amount)} ${textOf(held.currency)}`
        await confirm(`Message ${messageId} over ${amount} waits for this decision`, decision, noInput)
      }
      const body = { family, submitter, body_hash: bodyHash, attempt, place, ...fields } as Json
      return postView(client, ({ iso20022 }) => iso20022[decision], body, { params: { msg_id: messageId } })
    },
    { signed: true },
  )
  out.result(record, recordText(record))
}
