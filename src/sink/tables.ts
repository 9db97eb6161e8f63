/**
 * Owns the tables of a warehouse with the meaning of each column, for the migrations of both databases, the rows and
 * the reference page.
 */

/** Column type. Amounts are exact decimals; JSON has the form of the routes. */
export type ColumnType = 'count' | 'text' | 'amount' | 'time' | 'json' | 'flag'

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** Absent if the column is never NULL. */
  readonly optional?: true
  readonly about: string
}

/** Table. Rows are only ever added, because blocks are final. */
export interface Table {
  readonly name: string
  readonly about: string
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  /** Columns of further indexes. The key or one of them begins with the height: `sink verify` reads rows by it. */
  readonly indexes?: readonly (readonly string[])[]
}

/** A value of a row; amounts, JSON and times are texts. */
export type Value = string | number | boolean | null
export type Row = readonly Value[]

const height: Column = { name: 'height', type: 'count', about: 'height of the block' }
const time: Column = { name: 'time', type: 'time', about: 'time of the block' }
const transaction: Column = { name: 'transaction_hash', type: 'text', about: 'hash of the transaction' }
const caused: Column = {
  ...transaction,
  optional: true,
  about: 'hash of the transaction that caused it; null for genesis and for effects of the block itself',
}
const definition: Column = { name: 'definition', type: 'text', about: 'asset definition, name#domain' }
const amount: Column = { name: 'amount', type: 'amount', about: 'amount' }
const text = (name: string, about: string): Column => ({ name, type: 'text', about })
const count = (name: string, about: string): Column => ({ name, type: 'count', about })
const optional = (column: Column): Column => ({ ...column, optional: true })

export const blocks: Table = {
  name: 'blocks',
  about: 'Committed blocks.',
  columns: [
    height,
    text('hash', 'hash of the block'),
    text('parent_hash', 'hash of the block before'),
    time,
    optional(count('view', 'view in which it was committed; null for genesis')),
    text('proposer', 'consensus key of its proposer'),
    count('transactions', 'number of transactions'),
    count('rejected', 'number of rejected transactions'),
    count('payload_bytes', 'bytes of its payload'),
    text('state_root', 'root of the world state after the block'),
    text('transactions_root', 'Merkle root of its transactions'),
    text('results_root', 'Merkle root of their results'),
  ],
  key: ['height'],
}

export const transactions: Table = {
  name: 'transactions',
  about: 'Committed transactions, including rejected ones.',
  columns: [
    text('hash', 'hash of the transaction'),
    height,
    count('position', 'position in the block'),
    time,
    text('authority', 'account that signed'),
    count('lane', 'lane'),
    { name: 'dataspace', type: 'amount', about: 'dataspace that it was routed to' },
    text('outcome', 'approved or rejected'),
    optional(text('error_code', 'error code of the rejection')),
    optional(text('error', 'message of the rejection, as reported by the node')),
    count('teu', 'metered cost in transaction execution units'),
    count('instructions', 'number of instructions'),
    { name: 'created', type: 'time', about: 'creation time set by its signer' },
    { name: 'metadata', type: 'json', about: 'metadata set by its signer' },
  ],
  key: ['hash'],
  indexes: [
    ['height', 'position'],
    ['authority', 'height'],
  ],
}

export const instructions: Table = {
  name: 'instructions',
  about: 'Instructions of committed transactions; those of a rejected transaction had no effect.',
  columns: [
    transaction,
    count('position', 'position in the transaction'),
    height,
    text('kind', 'kind, as listed by `causeway codec schema`'),
    { name: 'body', type: 'json', about: 'its record' },
  ],
  key: ['transaction_hash', 'position'],
  indexes: [['height'], ['kind', 'height']],
}

export const events: Table = {
  name: 'events',
  about: 'Events with the ids of the streams.',
  columns: [
    height,
    count('number', 'number in the block: the id of the event is height.number'),
    time,
    text('category', 'block, transaction or data'),
    optional(text('subject', 'kind of object of the event')),
    text('kind', 'kind of the event'),
    caused,
    { name: 'body', type: 'json', about: 'its record' },
  ],
  key: ['height', 'number'],
  indexes: [['kind', 'height'], ['transaction_hash']],
}

export const transfers: Table = {
  name: 'transfers',
  about: 'Value transferred between accounts.',
  columns: [
    height,
    count('number', 'number among the transfers of the block'),
    time,
    caused,
    definition,
    text('source', 'paying account'),
    text('destination', 'receiving account'),
    amount,
  ],
  key: ['height', 'number'],
  indexes: [['source', 'height'], ['destination', 'height'], ['transaction_hash']],
}

export const movements: Table = {
  name: 'movements',
  about: 'Both sides of every balance change, with the balance after it: lines of account statements.',
  columns: [
    height,
    count('number', 'number among the movements of the block'),
    time,
    text('account', 'account'),
    definition,
    text('side', 'credit or debit'),
    text('kind', 'transfer, mint, burn, fee, hold or release'),
    amount,
    { name: 'balance', type: 'amount', about: 'balance after it' },
    optional(text('counterparty', 'the other account')),
    caused,
  ],
  key: ['height', 'number'],
  indexes: [['account', 'definition', 'height', 'number']],
}

export const balances: Table = {
  name: 'balances_by_block',
  about: 'Balances at the end of each block that changed them.',
  columns: [text('account', 'account'), definition, height, amount],
  key: ['account', 'definition', 'height'],
  indexes: [['height']],
}

export const supplies: Table = {
  name: 'supply_by_block',
  about: 'Supply of a definition at the end of each block that changed it: minted minus burned amounts.',
  columns: [definition, height, { name: 'supply', type: 'amount', about: 'supply' }],
  key: ['definition', 'height'],
  indexes: [['height']],
}

export const isoStatuses: Table = {
  name: 'iso_statuses',
  about:
    'Outcome of each payment of a message, one row for each block that decided it; no rows for claims that its submitter had not allowed.',
  columns: [
    height,
    count('position', 'position of the transaction in the block'),
    count('number', 'number among the payments of the transaction'),
    time,
    text('submitter', 'account that submitted the message'),
    text('family', 'pacs008 or pacs009'),
    text('message_id', 'identification of the message'),
    count('payments', 'payments of the message'),
    count('place', 'position of the payment in the message'),
    transaction,
    text('status', 'ISO 20022 status: ACSC settled, RJCT rejected'),
    optional(text('error_code', 'reason of the rejection')),
    text('currency', 'currency of the message'),
    text('settlement_date', 'interbank settlement date'),
    optional(text('end_to_end_id', 'end-to-end identification')),
    optional(text('uetr', 'unique end-to-end transaction reference')),
    text('debtor', 'paying account'),
    text('creditor', 'receiving account'),
    definition,
    amount,
    optional(count('movement', 'number of its debit among the movements of the block; the next one is its credit')),
  ],
  key: ['height', 'position', 'number'],
  indexes: [['submitter', 'family', 'message_id', 'place', 'height'], ['message_id'], ['height', 'movement']],
}

export const lanes: Table = {
  name: 'lanes_by_block',
  about: 'Load of the lanes, for each block in which a lane had transactions.',
  columns: [
    height,
    count('lane', 'lane'),
    count('transactions', 'transactions'),
    count('rejected', 'number of rejected transactions'),
    count('teu', 'metered cost in transaction execution units'),
  ],
  key: ['height', 'lane'],
}

export const votes: Table = {
  name: 'votes',
  about:
    'Committees of blocks, and the votes in the commit certificate. A certificate needs only a quorum: a missing vote is not a fault.',
  columns: [
    height,
    text('validator', 'consensus key'),
    count('position', 'position in the committee of the height'),
    { name: 'signed', type: 'flag', about: 'true if the certificate contains its vote' },
    { name: 'proposer', type: 'flag', about: 'true if it proposed the block' },
  ],
  key: ['height', 'validator'],
  indexes: [['validator', 'height']],
}

/** All tables, in the order in which a batch fills them. */
export const TABLES: readonly Table[] = [
  blocks,
  transactions,
  instructions,
  events,
  transfers,
  movements,
  balances,
  supplies,
  isoStatuses,
  lanes,
  votes,
]

/** A view over the tables. */
export interface View {
  readonly name: string
  readonly about: string
  /** Query text; `@` precedes names of tables. */
  readonly query: string
}

export const VIEWS: readonly View[] = [
  {
    name: 'balances',
    about: 'Current balances.',
    query: `SELECT b.account, b.definition, b.amount, b.height FROM @balances_by_block b WHERE b.height =
  (SELECT max(n.height) FROM @balances_by_block n WHERE n.account = b.account AND n.definition = b.definition)`,
  },
  {
    name: 'supply',
    about: 'Current supplies.',
    query: `SELECT s.definition, s.supply, s.height FROM @supply_by_block s WHERE s.height =
  (SELECT max(n.height) FROM @supply_by_block n WHERE n.definition = s.definition)`,
  },
  {
    name: 'statements',
    about: 'Statements of accounts: order by height and number.',
    query: `SELECT m.account, m.definition, m.height, m.number, m.time, m.side, m.kind, m.amount, m.balance, m.counterparty,
  m.transaction_hash, t.authority, i.message_id, i.end_to_end_id
  FROM @movements m LEFT JOIN @transactions t ON t.hash = m.transaction_hash
  LEFT JOIN @iso_statuses i ON i.height = m.height AND (i.movement = m.number OR i.movement = m.number - 1)`,
  },
  {
    name: 'iso_payments',
    about: 'Payments of messages with their last status.',
    query: `SELECT i.* FROM @iso_statuses i WHERE NOT EXISTS (SELECT 1 FROM @iso_statuses n WHERE n.submitter = i.submitter
  AND n.family = i.family AND n.message_id = i.message_id AND n.place = i.place
  AND (n.height > i.height OR (n.height = i.height AND (n.position > i.position OR (n.position = i.position AND n.number > i.number)))))`,
  },
]
