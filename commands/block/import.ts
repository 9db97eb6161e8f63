import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { nodeConfigFlags, nodeConfigPath } from '../../src/cli/command/flags.js'
import { pairs } from '../../src/cli/terminal/output.js'

export default class BlockImport extends BaseCommand {
  static override description =
    `Read blocks written by "block export", compressed or not, into the data directory of a stopped node.
Every certificate is verified from the pinned genesis hash on and every block is executed before it is stored; existing
blocks are compared. A gap, another chain or a corrupt block ends the import: earlier blocks are valid and
kept, and another run continues from there. A missing data directory is created without a vote log: as a validator
the node then abstains until its earlier votes no longer matter. Ctrl-C ends it after the current block (exit 130).`
  static override examples = [
    '<%= config.bin %> block import blocks.bin --config node.toml',
    '<%= config.bin %> block import blocks-1-100000.gz --config node.toml --data-dir archive',
    '<%= config.bin %> block export - --gateway http://10.0.0.7:8080 | <%= config.bin %> block import - --config node.toml',
  ]
  static override args = {
    file: Args.string({ description: 'file of blocks, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...nodeConfigFlags,
    'data-dir': Flags.string({ description: 'data directory, if not the one of the configuration' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BlockImport)
    const { ByteSource } = await import('../../src/cli/input/byte-source.js')
    const { readBlocks } = await import('../../src/cli/chain/block-file.js')
    const { INTERRUPTED, interruptible, untilInterrupted } = await import('../../src/cli/terminal/interrupt.js')
    const { CryptoPool } = await import('../../src/crypto/index.js')
    const { ABIS, NEWEST_ABI, startAbi } = await import('../../src/features/abi.js')
    const { loadNodeConfig } = await import('../../src/node/config/index.js')
    const { readPinnedGenesis } = await import('../../src/node/identity/identity.js')
    const { beginDataDir, importBlocks } = await import('../../src/node/offline/import.js')
    const { withDataDir } = await import('../../src/node/offline/offline.js')
    const { exists, FORMAT_FILE } = await import('../../src/storage/index.js')
    const { join } = await import('node:path')
    const config = await loadNodeConfig(nodeConfigPath(flags))
    const folder = flags['data-dir'] ?? config.dataDir
    const pinned = await readPinnedGenesis(config, NEWEST_ABI)
    const source = await ByteSource.open(args.file)
    const crypto = new CryptoPool({ threads: config.crypto.threads || 1 })
    try {
      const codec = NEWEST_ABI.codec(pinned.genesis.payload.value.addressPrefix)
      const { made, report, interrupted } = await interruptible(async (signal) => {
        const made = !(await exists(join(folder, FORMAT_FILE)))
        if (made) await beginDataDir({ folder, abi: startAbi(pinned.genesis.payload.value.abi), pinned })
        const report = await withDataDir(config, folder, (place) =>
          this.withBar('importing', 'bytes', (report) =>
            importBlocks(place, untilInterrupted(readBlocks(source, codec), source, signal), {
              crypto,
              abis: ABIS,
              cacheBytes: config.state.cacheMib * 1024 * 1024,
              treeBits: config.state.treeBits,
              onBlock: (height) => report({ done: source.taken, total: source.total, note: `block ${height}` }),
            }),
          ),
        )
        return { made, report, interrupted: signal.aborted }
      })
      const view = {
        file: args.file,
        data_dir: folder,
        made,
        from: report.from,
        height: report.height,
        block_hash: Buffer.from(report.blockHash).toString('hex'),
        state_root: Buffer.from(report.stateRoot).toString('hex'),
        imported: report.imported,
        known: report.known,
        interrupted,
      }
      const text = pairs([
        ['data directory', made ? `${folder} (created)` : folder],
        ['blocks', `${report.imported} imported, ${report.known} already stored`],
        ['height', `${report.height}, before ${report.from}`],
        ['block hash', view.block_hash],
        ['state root', view.state_root],
      ])
      this.out.result(view, interrupted ? `${text}\n\nInterrupted: run the same command again to continue.` : text)
      if (interrupted) this.exitWith(INTERRUPTED)
    } finally {
      source.close()
      await crypto.close()
    }
  }
}
