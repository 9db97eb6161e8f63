import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { nodeConfigFlags, nodeConfigPath } from '../../src/cli/command/flags.js'
import { pairs } from '../../src/cli/terminal/output.js'
import { EXIT } from '../../src/model/errors.js'

export default class BlockVerify extends BaseCommand {
  static override description = `Check the stored blocks of a node from the pinned genesis hash on, offline.
Checks links, certificates, payload hashes and the roots of transactions, results and evidence; state roots require execution:
"block replay". The node must be stopped. Exits 10 if a check fails.`
  static override examples = [
    '<%= config.bin %> block verify --config node.toml',
    '<%= config.bin %> block verify --peer-dir .causeway/localnet/val-2 --json',
  ]
  static override flags = {
    ...nodeConfigFlags,
    'data-dir': Flags.string({ description: 'data directory, if not the one of the configuration' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(BlockVerify)
    const { CryptoPool } = await import('../../src/crypto/index.js')
    const { loadNodeConfig } = await import('../../src/node/config/index.js')
    const { withDataDir } = await import('../../src/node/offline/offline.js')
    const { verifyBlocks } = await import('../../src/node/offline/verify-blocks.js')
    const config = await loadNodeConfig(nodeConfigPath(flags))
    const crypto = new CryptoPool({ threads: config.crypto.threads || 1 })
    try {
      await withDataDir(config, flags['data-dir'], async (place) => {
        const found = await this.withBar('verifying', 'blocks', (report) =>
          verifyBlocks(place, crypto, (height, total) => report({ done: height, total })),
        )
        const { height, bodies, provenTo, fault } = found
        const valid = fault === undefined
        const view = { data_dir: place.folder, height, bodies, proven_to: provenTo, fault: fault ?? null, valid }
        const text = pairs([
          ['data directory', place.folder],
          ['height', String(height)],
          ['payloads', `${bodies} checked`],
          ['certificates', `verified up to height ${provenTo}`],
          ['result', fault ?? 'valid'],
        ])
        this.out.result(view, text)
        if (!valid) this.exitWith(EXIT.checkFailed)
      })
    } finally {
      await crypto.close()
    }
  }
}
