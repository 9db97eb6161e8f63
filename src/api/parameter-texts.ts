/** Owns descriptions of route parameters, by name, for the OpenAPI document. */
import type { AnyRoute } from './route.js'

/** Parameters that mean the same wherever they stand. */
const TEXTS: Readonly<Record<string, string>> = {
  account: 'Account, by its address or its alias label@domain.',
  after: 'Resume behind this event, height.index; the header Last-Event-ID goes before it.',
  amount: 'Amount as a decimal number.',
  asset: 'Asset definition, name#domain.',
  authority: 'Account that signed, by its address or its alias label@domain.',
  block: 'Height of a block.',
  category: 'Category of events.',
  cursor: 'Where the page before ended: its `next_cursor`.',
  dataspace: 'Dataspace that a transaction was routed to.',
  definition: 'Asset definition, name#domain.',
  domain: 'Domain.',
  filter: 'List of filters as JSON; instead of the single fields.',
  from: 'First height, the newest; default: the last one.',
  from_height: 'Begin with this height; default: the next block.',
  from_ms: 'Begin of the period, ms since the Unix epoch.',
  hash: 'Hash of a transaction, with or without `0x`.',
  height: 'Height of a block.',
  key: 'Key of the record as it is written in JSON.',
  kind: 'Kind, as `GET /schema` names it.',
  lane: 'Number of a lane.',
  limit: 'Items of the page at most.',
  msg_id: 'Identification of a payment message, as its sender gave it.',
  offset: 'Items passed over first.',
  outcome: 'How a transaction ended.',
  owner: 'Account that owns it, by its address or its alias label@domain.',
  place: 'Also report its position in the queue.',
  position: 'Index of an instruction in its transaction, from 0.',
  proposal: 'Id of a proposal, with or without `0x`.',
  scope: 'Peer of the request. A node always answers for itself; the value is repeated in the response.',
  status: 'Status of a block or of a transaction.',
  subject: 'Kind of object that an event is about, such as `asset`; `block` or `transaction` for their states.',
  submitter: 'Account that submitted the message, by its address.',
  table: 'Table of the world state.',
  to: 'Account that would receive, by its address or its alias label@domain.',
  to_ms: 'End of the period, not part of it, ms since the Unix epoch.',
  transaction: 'Hash of a transaction, with or without `0x`.',
}

/** Parameters of a path whose name says too little, by the part of the path before them. */
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

/** What a parameter of a row means; undefined when nobody wrote it down. */
export function parameterText({ path, about }: AnyRoute, name: string): string | undefined {
  const parts = path.split('/')
  const at = parts.indexOf(`{${name}}`)
  const place = at < 0 ? '' : `${parts[at - 1]}/${parts[at]}`
  return about?.[name] ?? PATH_TEXTS[place] ?? TEXTS[name]
}
