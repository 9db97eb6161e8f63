/** Owns descriptions of route parameters, by name, for the OpenAPI document. */
import type { AnyRoute } from './route.js'

/** Descriptions of parameters with the same meaning everywhere. */
const TEXTS: Readonly<Record<string, string>> = {
  account: 'Account, by its address or its alias label@domain.',
  after: 'Resume after this event, height.index; the header Last-Event-ID overrides it.',
  amount: 'Amount as a decimal number.',
  asset: 'Asset definition, name#domain.',
  authority: 'Account that signed, by its address or its alias label@domain.',
  block: 'Height of a block.',
  category: 'Category of events.',
  cursor: 'Start of the page: `next_cursor` of the page before.',
  dataspace: 'Dataspace that a transaction was routed to.',
  definition: 'Asset definition, name#domain.',
  domain: 'Domain.',
  filter: 'JSON list of filters, instead of the single fields.',
  from: 'First height, the newest; default: the last block.',
  from_height: 'First height of the stream; default: the next block.',
  from_ms: 'Start of the period, ms since the Unix epoch.',
  hash: 'Hash of a transaction, with or without `0x`.',
  height: 'Height of a block.',
  key: 'Key of the record in its JSON form.',
  kind: 'Kind, as `GET /schema` names it.',
  lane: 'Number of a lane.',
  limit: 'Maximum number of items in the page.',
  msg_id: 'Message identification given by the sender of the payment message.',
  offset: 'Number of items to skip.',
  outcome: 'Outcome of the transaction.',
  owner: 'Owner account, by its address or its alias label@domain.',
  place: 'Include the position in the queue.',
  position: 'Index of an instruction in its transaction, from 0.',
  proposal: 'Id of a proposal, with or without `0x`.',
  scope: 'Peer of the request. A node answers only for itself; the value is repeated in the response.',
  status: 'Status of a block or of a transaction.',
  subject: 'Kind of object of an event, such as `asset`; `block` or `transaction` for their states.',
  submitter: 'Account that submitted the message, by its address.',
  table: 'Table of the world state.',
  to: 'Receiving account, by its address or its alias label@domain.',
  to_ms: 'End of the period, exclusive, ms since the Unix epoch.',
  transaction: 'Hash of a transaction, with or without `0x`.',
}

/** Descriptions of path parameters whose names do not explain them, by the preceding part of the path. */
const PATH_TEXTS: Readonly<Record<string, string>> = {
  'accounts/{id}': 'Account, by its address or its alias label@domain.',
  'activate/{id}': 'Id of an upgrade, with or without `0x`.',
  'asset-definitions/{id}': 'Asset definition, name#domain.',
  'blocks/{id}': 'Height or hash of a block.',
  'cancel/{id}': 'Id of an upgrade, with or without `0x`.',
  'commit_qc/{hash}': 'Hash of a block, with or without `0x`.',
  'definitions/{id}': 'Asset definition, name#domain.',
  'domains/{id}': 'Domain.',
  'lanes/{id}': 'Number of a lane.',
  'nfts/{id}': 'NFT, name$domain.',
  'roles/{id}': 'Name of a role.',
  'triggers/{id}': 'Name of a trigger.',
}

/** Description of a parameter of a row, undefined if it has none. */
export function parameterText({ path, about }: Pick<AnyRoute, 'path' | 'about'>, name: string): string | undefined {
  const parts = path.split('/')
  const at = parts.indexOf(`{${name}}`)
  const place = at < 0 ? '' : `${parts[at - 1]}/${parts[at]}`
  return about?.[name] ?? PATH_TEXTS[place] ?? TEXTS[name]
}
