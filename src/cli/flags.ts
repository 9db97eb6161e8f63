/** Owns the flags that some commands share. */
import { resolve } from 'node:path'
import { Flags } from '@oclif/core'
import { DEFAULT_LOCALNET } from './localnet/record.js'
import { WAIT_MODES, type WaitMode } from './submit.js'

/** What a write waits for. */
export const waitFlag = {
  wait: Flags.option({
    options: WAIT_MODES as [WaitMode, ...WaitMode[]],
    description: 'wait until the transaction is in a block, in the queue, or not at all',
    default: 'committed' as WaitMode,
  })(),
}

/** Folder of a local network. */
export const dirFlag = {
  dir: Flags.string({ description: `folder of the network (default ${DEFAULT_LOCALNET})` }),
}

/** Absolute folder of the local network that the flag, the environment or the default names. */
export const localnetFolder = (dir: string | undefined): string =>
  resolve(dir ?? process.env.CAUSEWAY_LOCALNET ?? DEFAULT_LOCALNET)
