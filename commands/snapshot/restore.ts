import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { blockHashFlag, nodeConfigFlags, nodeConfigPath } from '../../src/cli/command/flags.js'
import { pairs } from '../../src/cli/terminal/output.js'

export default class SnapshotRestore extends BaseCommand {
  static override description =
    `Create the data directory of a node from a snapshot. The directory must be absent or empty.
Every header, every row and the state root are verified, with the certificates that the proof needs: around each change of validators,
and of the last block. A random sample of the others is verified; \`snapshot verify\` verifies all. The node then syncs the blocks after
the snapshot from its peers, and has only headers of earlier blocks. A validator abstains at first, since earlier votes may be lost.`
  static override examples = ['<%= config.bin %> snapshot restore state.snapshot --config node.toml']
  static override args = { file: Args.string({ description: 'snapshot', required: true, ignoreStdin: true }) }
  static override flags = { ...nodeConfigFlags, ...blockHashFlag }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SnapshotRestore)
    const { restoredHint } = await import('../../src/doctor/vote-log.js')
    const { CryptoPool } = await import('../../src/crypto/index.js')
    const { ABIS, NEWEST_ABI, startAbi } = await import('../../src/features/abi.js')
    const { loadNodeConfig } = await import('../../src/node/config/index.js')
    const { readPinnedGenesis } = await import('../../src/node/identity/identity.js')
    const { restoreSnapshot } = await import('../../src/node/offline/restore-snapshot.js')
    const config = await loadNodeConfig(nodeConfigPath(flags))
    const pinned = await readPinnedGenesis(config, NEWEST_ABI)
    const abi = startAbi(pinned.genesis.payload.value.abi)
    const crypto = new CryptoPool({ threads: config.crypto.threads || 1 })
    try {
      const found = await this.withBar('restoring', 'bytes', (report) =>
        restoreSnapshot(
          { folder: config.dataDir, abi, abis: ABIS, pinned },
          {
            path: args.file,
            crypto,
            treeBits: config.state.treeBits,
            trustedBlock: flags['trust-block'],
            onRead: (done, total) => report({ done, total }),
          },
        ),
      )
      const root = Buffer.from(found.stateRoot).toString('hex')
      const view = { data_dir: config.dataDir, height: found.height, state_root: root, rows: found.rows }
      const text = pairs([
        ['data directory', config.dataDir],
        ['height', String(found.height)],
        ['state root', root],
        ['rows', String(found.rows)],
      ])
      this.out.result(view, text)
      this.out.hint(await restoredHint(config, pinned.genesis.payload.value.topology))
    } finally {
      await crypto.close()
    }
  }
}
