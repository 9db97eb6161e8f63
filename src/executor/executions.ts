/**
 * Owns the table of executions: each place that runs instructions, contracts, proofs or queries, with its bounds. The
 * executing functions require a row; docs/generated/executions.md shows the table.
 */

/** Bounds of an execution. Parameters of the chain are given as `param`, constants of the program in text. */
interface ExecutionBounds {
  /** Description. */
  readonly about: string
  /** Thread that runs it; `command`: a process of the toolkit. */
  readonly thread: 'ledger' | 'trial' | 'proof' | 'content' | 'command'
  /** Priority class on the thread; `inside`: part of another execution; `alone`: the thread runs nothing else. */
  readonly turn: 'consensus' | 'admission' | 'node' | 'client' | 'trial' | 'inside' | 'alone'
  /** Role that causes it. */
  readonly asker: 'committee' | 'chain' | 'account' | 'client' | 'operator' | 'node'
  /** Maximum execution units (TEU). */
  readonly units: string
  /** Maximum gas of contracts. */
  readonly gas: string
  /** Maximum number of events. */
  readonly events: string
  /** Maximum bytes read at once, or returned. */
  readonly bytes: string
  /** Time limit. */
  readonly time: string
  /** Payment. */
  readonly charged: string
  /** Outcome at a bound. */
  readonly ends: string
}

/** Execution of a block. */
export interface BlockExecution extends ExecutionBounds {
  readonly kind: 'block'
  /** True if due runs of the block are executed after its transactions. */
  readonly hasOwnRuns: boolean
}

/** Execution of an instruction list, or of the work of a feature. */
export interface ListExecution extends ExecutionBounds {
  readonly kind: 'list'
  /** True if rows and events are counted; only genesis is exempt. */
  readonly isMetered: boolean
}

/** Execution on an overlay that is discarded, within the units of one transaction. */
export interface TrialExecution extends ExecutionBounds {
  readonly kind: 'trial'
}

/** Execution of a query. */
export interface QueryExecution extends ExecutionBounds {
  readonly kind: 'query'
}

/** Verification without instructions. */
export interface CheckExecution extends ExecutionBounds {
  readonly kind: 'check'
}

export type ExecutionRow = BlockExecution | ListExecution | TrialExecution | QueryExecution | CheckExecution

const BLOCK = {
  units: '`block_teu` of static costs; with rows, events and triggers `block_teu` + `max_teu_per_tx`',
  gas: '`contract_gas_per_tx` for a call; declared gas counts in `block_teu` and in the work of the block',
  events: '1,000,000, and one unit for 32 bytes',
  bytes: '`max_block_bytes`',
  charged: 'the payer of each transaction',
} as const
const CALL = {
  units: '`max_teu_per_tx`, including everything that it triggers',
  gas: '`contract_gas_per_tx`',
  events: 'by its units',
  bytes: 'the body of its request, 4 MiB',
  time: '5 s of the trial thread, after which the thread is terminated; 256 MiB of memory',
  charged: 'none; one slot for each client, one trial at a time',
} as const

export const EXECUTIONS = {
  build: {
    ...BLOCK,
    kind: 'block',
    hasOwnRuns: true,
    about: 'A proposer executes the block that it proposes',
    thread: 'ledger',
    turn: 'consensus',
    asker: 'committee',
    time: '`block_work_ms` of declared work; execution stops at the next transaction once the view has timed out',
    ends: 'the block ends before the transaction, which stays in the queue',
  },
  validate: {
    ...BLOCK,
    kind: 'block',
    hasOwnRuns: true,
    about: 'A validator executes a proposed block and compares its roots',
    thread: 'ledger',
    turn: 'consensus',
    asker: 'committee',
    time: '`block_work_ms` of declared work; execution stops at the next transaction once the view has timed out, unless a certificate names the block',
    ends: 'the block is refused: no vote',
  },
  replay: {
    ...BLOCK,
    kind: 'block',
    hasOwnRuns: true,
    about: 'A node or a command executes a stored block again',
    thread: 'ledger',
    turn: 'alone',
    asker: 'node',
    time: 'unlimited: as long as the original execution; SIGTERM stops it between two blocks',
    ends: '`state_divergence`: the node does not start',
  },
  transaction: {
    kind: 'list',
    isMetered: true,
    about: 'The instructions of a transaction in a block, with the data triggers that they start',
    thread: 'ledger',
    turn: 'inside',
    asker: 'account',
    units: 'its own limit, at most `max_teu_per_tx`; a quarter of it for triggers of others',
    gas: '`contract_gas_per_tx` for a call',
    events: 'by its units',
    bytes: '`max_tx_bytes`',
    time: 'the limit of its block',
    charged: 'its payer, even if it is rejected',
    ends: 'rejected with `teu_exhausted`; only the fee is charged',
  },
  trigger: {
    kind: 'list',
    isMetered: true,
    about: 'A run of a time or pre-commit trigger in a block',
    thread: 'ledger',
    turn: 'inside',
    asker: 'chain',
    units: 'at most `max_teu_per_tx`, and the remaining units of the block for such runs',
    gas: '`contract_gas_per_tx` for a call',
    events: 'by its units',
    bytes: '`max_tx_bytes` of stored instructions',
    time: 'the limit of its block; postponed from view 3 on',
    charged: 'the account of the trigger, or its sponsor',
    ends: 'the run fails; the third failure in a row disables the trigger',
  },
  dueRun: {
    kind: 'list',
    isMetered: true,
    about: 'A run that a feature scheduled for a time',
    thread: 'ledger',
    turn: 'inside',
    asker: 'chain',
    units: 'the units that its kind declares; of an account at most `max_teu_per_tx`',
    gas: 'none',
    events: 'the units declared by its kind; of an account at most `max_teu_per_tx`',
    bytes: 'one row of its schedule',
    time: 'the limit of its block; postponed from view 3 on',
    charged: 'its owner; runs of the chain cost no fee',
    ends: 'the run fails and is retried twice, an hour apart',
  },
  endOfBlock: {
    kind: 'list',
    isMetered: true,
    about: 'Work of a feature at the end of each block',
    thread: 'ledger',
    turn: 'inside',
    asker: 'chain',
    units: 'the units declared by the feature; all features together a quarter of a block',
    gas: 'none',
    events: 'by its units',
    bytes: 'rows of the tables of the feature',
    time: 'the limit of its block',
    charged: 'none; its units are reserved in each block',
    ends: 'its changes are undone, and a separate result in the block reports the failure',
  },
  genesis: {
    kind: 'list',
    isMetered: false,
    about: 'The instructions of the genesis block',
    thread: 'ledger',
    turn: 'alone',
    asker: 'operator',
    units: 'exempt: it runs once, before the network exists',
    gas: '`contract_gas_per_tx` for a call',
    events: '1,000,000',
    bytes: '16 MiB for each section of the file',
    time: 'none: its signers ran it before',
    charged: 'nothing',
    ends: '`genesis_invalid`: the node does not start',
  },
  selfCheck: {
    kind: 'list',
    isMetered: true,
    about: 'Known work that a node runs before it executes blocks of an ABI',
    thread: 'ledger',
    turn: 'alone',
    asker: 'node',
    units: '1,000,000,000: the work is part of the release',
    gas: '`contract_gas_per_tx` for a call',
    events: 'by its units',
    bytes: 'part of the release',
    time: 'some 10 ms, part of the release',
    charged: 'nothing',
    ends: 'the node does not start',
  },
  dryRun: {
    ...CALL,
    kind: 'block',
    hasOwnRuns: false,
    about: 'A dry run, and a draft with a trial: one transaction in a block after the last',
    thread: 'trial',
    turn: 'trial',
    asker: 'client',
    ends: 'rejected as in a block; `trial_too_large` at the bound of time or memory',
  },
  trial: {
    ...CALL,
    kind: 'trial',
    about: 'A simulation or a view of a contract (a view: at most 1,000,000 gas)',
    thread: 'trial',
    turn: 'trial',
    asker: 'client',
    ends: 'the trap or the refusal is the answer; `trial_too_large` at the bound of time or memory',
  },
  trialQuery: {
    kind: 'query',
    about: 'A query that executes something or computes for long: simulations, views, hypothetical elections',
    thread: 'trial',
    turn: 'trial',
    asker: 'client',
    units: 'those of its trial',
    gas: 'that of its trial',
    events: 'none of its own',
    bytes: 'the longest record of its answer',
    time: '5 s of the trial thread, after which the thread is terminated; 256 MiB of memory',
    charged: 'none; one slot for each client, one trial at a time',
    ends: '`trial_too_large`',
  },
  query: {
    kind: 'query',
    about: 'A query of committed state, indexes and blocks',
    thread: 'ledger',
    turn: 'client',
    asker: 'client',
    units: 'none: it executes nothing',
    gas: 'none',
    events: 'none',
    bytes: 'pages of 500 items; the longest record of its answer',
    time: 'all clients together a quarter of the time of the thread; operators and the node itself have priority',
    charged: 'none; one slot for each client, four queries at a time',
    ends: '`rate_limited` if 1,024 queries of the client or 16,384 in all are waiting; a query whose request has ended is not executed',
  },
  admission: {
    kind: 'check',
    about: 'The state checks of submitted transactions: authority, signers, fee, route, proofs to verify early',
    thread: 'ledger',
    turn: 'admission',
    asker: 'client',
    units: 'none: only static costs are computed',
    gas: 'none',
    events: 'none',
    bytes: '4,096 transactions in one request',
    time: 'some microseconds for each transaction; after consensus, before reads',
    charged: 'the queue share of the account',
    ends: 'the code of the refusal',
  },
  content: {
    kind: 'check',
    about: 'The decoding of large transactions',
    thread: 'content',
    turn: 'alone',
    asker: 'client',
    units: 'none',
    gas: 'none',
    events: 'none',
    bytes: '`max_tx_bytes`',
    time: 'some 200 ns for a byte',
    charged: 'the queue share of the account',
    ends: 'the code of the refusal',
  },
  earlyProof: {
    kind: 'check',
    about: 'Zero-knowledge proofs of submitted transactions, and of blocks before they are executed',
    thread: 'proof',
    turn: 'alone',
    asker: 'client',
    units: 'declared as `proof_work_per_block`',
    gas: 'none',
    events: 'none',
    bytes: '16 KiB of claims in a batch, 256 waiting proofs',
    time: '0.2 s for a batch',
    charged: 'the payer of the transaction; after five invalid proofs the account or the peer is refused for a minute',
    ends: '`too_many_bad_proofs`; a proof that was not verified early is verified during execution',
  },
  snapshotCheck: {
    kind: 'check',
    about: 'The check of a snapshot against its certified root, by a node that starts from it or creates it',
    thread: 'ledger',
    turn: 'node',
    asker: 'node',
    units: 'none',
    gas: 'none',
    events: 'none',
    bytes: '16 rows between two turns of the event loop',
    time: 'none: blocks and payments have priority',
    charged: 'nothing',
    ends: 'the snapshot is refused; another peer is asked',
  },
  scenario: {
    kind: 'list',
    isMetered: true,
    about: 'A step of `contract test`',
    thread: 'command',
    turn: 'alone',
    asker: 'operator',
    units: '60,000, more than a transaction of the default parameters has',
    gas: 'the default of `contract_gas_per_tx`',
    events: 'by its units',
    bytes: 'the files that the command names',
    time: 'that of its gas',
    charged: 'nothing',
    ends: 'the step fails, and its text gives the reason',
  },
  scenarioView: {
    kind: 'trial',
    about: 'A view of `contract test`',
    thread: 'command',
    turn: 'alone',
    asker: 'operator',
    units: 'the default of `max_teu_per_tx`',
    gas: '1,000,000',
    events: 'by its units',
    bytes: 'the files that the command names',
    time: 'that of its gas',
    charged: 'nothing',
    ends: 'the step fails, and its text gives the reason',
  },
} as const satisfies Readonly<Record<string, ExecutionRow>>
