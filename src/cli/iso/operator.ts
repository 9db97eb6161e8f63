/** Owns shared parts of the commands of bridge operators: signed decisions on held messages. */
import { Flags } from '@oclif/core'
import type { Json } from '../../codec/index.js'
import type { Output } from '../command/output.js'
import { postJson, type View, withGateway } from '../gateway/gateway.js'
import type { Settings } from '../settings/settings.js'
import { recordText } from './iso.js'

/** Which of the messages with one id is meant. */
export const whichFlags = {
  family: Flags.option({ options: ['pacs008', 'pacs009'] as const, description: 'when both families have the id' })(),
  submitter: Flags.string({ description: 'when several submitters have the id: address of one' }),
}

/** Sends a decision, signed with the operator's key, and prints the record as it stands then. */
export async function decide(
  settings: Settings,
  out: Output,
  messageId: string,
  decision: 'release' | 'refuse' | 'change',
  fields: Readonly<Record<string, Json | undefined>>,
): Promise<void> {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const record = await withGateway(
    settings,
    (client) =>
      postJson(client, ({ iso20022 }) => iso20022[decision], given as Json, { params: { msg_id: messageId } }),
    { signed: true },
  )
  out.result(record, recordText(record as View))
}
