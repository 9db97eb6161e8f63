/** Owns the flags and arguments shared by several commands. */

import { join, resolve } from 'node:path'
import { Args, Flags } from '@oclif/core'
import { LedgerError } from '../../model/errors.js'
import { WAIT_MODES, type WaitMode } from '../input/wait-mode.js'
import { DEFAULT_LOCALNET } from '../settings/localnet-record.js'

/** State for which a write waits. */
export const waitFlag = {
  wait: Flags.option({
    options: WAIT_MODES as [WaitMode, ...WaitMode[]],
    description: 'wait until the transaction is committed or queued, or do not wait',
    default: 'committed' as WaitMode,
  })(),
}

/** Confirmation flag of commands that sign. */
export const yesFlag = {
  yes: Flags.boolean({ char: 'y', description: 'sign without asking for confirmation' }),
}

/** Flags of commands that submit signed transactions. */
export const submitFlags = {
  ...waitFlag,
  'dry-run': Flags.boolean({ description: 'show effect, lane and cost without signing or sending' }),
}

/** Flags of commands that write to the ledger. */
export const writeFlags = { ...submitFlags, ...yesFlag }

/** Form of a transaction on standard output. */
export const binaryFlag = {
  binary: Flags.boolean({ description: 'print canonical bytes instead of JSON' }),
}

/** Forms of a signed transaction on standard output. */
export const signedFormFlags = {
  binary: Flags.boolean({ ...binaryFlag.binary, exclusive: ['frame'] }),
  frame: Flags.boolean({ description: 'print a codec frame, as accepted by POST /transaction', exclusive: ['binary'] }),
}

/** Address prefix of codec records. */
export const codecFlags = {
  'address-prefix': Flags.string({ description: 'prefix of the addresses of the chain', default: 'cw' }),
}

/** Folder of a local network. */
export const dirFlag = {
  dir: Flags.string({ description: `folder of the network (default ${DEFAULT_LOCALNET})` }),
}

const firstPort = (what: string, preferred: number) =>
  Flags.integer({
    description: `first port of ${what} (default: ${preferred} or the next free range)`,
    min: 1024,
    max: 65535,
  })

/** Ports of a new local network. */
export const portFlags = {
  'gateway-port': firstPort('gateways', 8080),
  'p2p-port': firstPort('links', 7400),
}

/** Node configuration for commands on a stopped node. */
export const nodeConfigFlags = {
  config: Flags.string({ char: 'c', description: 'configuration of the node (TOML)', helpValue: 'FILE' }),
  'peer-dir': Flags.string({ description: 'folder of a peer of a local network, instead of --config' }),
}

/** Path of the configuration given by the flags; throws `usage` unless there is exactly one. */
export function nodeConfigPath(flags: {
  readonly config?: string | undefined
  readonly 'peer-dir'?: string | undefined
}): string {
  const folder = flags['peer-dir']
  if ((flags.config === undefined) === (folder === undefined)) {
    throw new LedgerError('usage', 'give the node with --config FILE or --peer-dir DIR')
  }
  return resolve(flags.config ?? join(folder ?? '', 'node.toml'))
}

/** Block that the operator trusts. */
export const blockHashFlag = {
  'trust-block': Flags.custom<Buffer>({
    description: 'hash of a block in the snapshot, preferably the last, from a node that you trust',
    helpValue: 'HASH',
    parse: async (text) => {
      if (!/^[0-9a-f]{64}$/i.test(text)) throw new LedgerError('usage', '--trust-block: expected 64 hex digits')
      return Buffer.from(text, 'hex')
    },
  })(),
}

export const deviceArg = {
  id: Args.string({ description: 'id of the device', required: true, ignoreStdin: true }),
}
