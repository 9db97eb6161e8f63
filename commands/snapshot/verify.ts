import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { blockHashFlag, nodeConfigFlags, nodeConfigPath } from '../../src/cli/command/flags.js'
import { pairs } from '../../src/cli/terminal/output.js'

export default class SnapshotVerify extends BaseCommand {
  static override description =
    `Check a snapshot from the pinned genesis hash on: every certificate, every row, the state root.
Only the genesis of the configuration is trusted. If the rosters of old heights are no longer known, the
headers prove the chain only up to there, and --trust-block gives a later trusted block. Exits 10 if it is invalid.`
  static override examples = ['<%= config.bin %> snapshot verify state.snapshot --config node.toml']
  static override args = { file: Args.string({ description: 'snapshot', required: true, ignoreStdin: true }) }
  static override flags = { ...nodeConfigFlags, ...blockHashFlag }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SnapshotVerify)
    const { CryptoPool } = await import('../../src/crypto/index.js')
    const { NEWEST_ABI } = await import('../../src/features/abi.js')
    const { loadNodeConfig } = await import('../../src/node/config/index.js')
    const { readPinnedGenesis } = await import('../../src/node/identity/identity.js')
    const { verifySnapshot } = await import('../../src/node/snapshot/verify.js')
    const config = await loadNodeConfig(nodeConfigPath(flags))
    const pinned = await readPinnedGenesis(config, NEWEST_ABI)
    const crypto = new CryptoPool({ threads: config.crypto.threads || 1 })
    try {
      const found = await this.withBar('verifying', 'bytes', (report) =>
        verifySnapshot({
          path: args.file,
          // A snapshot holds rows of every ABI that the network came to.
          abi: NEWEST_ABI,
          pinned,
          crypto,
          trustedBlock: flags['trust-block'],
          onRead: (done, total) => report({ done, total }),
        }),
      )
      const view = {
        file: args.file,
        chain: found.chain,
        height: found.height,
        block_hash: Buffer.from(found.blockHash).toString('hex'),
        state_root: Buffer.from(found.stateRoot).toString('hex'),
        rows: found.rows,
        proven_to: found.provenTo,
        valid: true,
      }
      const proof =
        found.provenTo === found.height
          ? 'every certificate from genesis on'
          : `certificates up to height ${found.provenTo}, then those from the block of --trust-block on`
      const text = pairs([
        ['chain', found.chain],
        ['height', String(found.height)],
        ['block', view.block_hash],
        ['state root', view.state_root],
        ['rows', String(found.rows)],
        ['proof', proof],
        ['result', 'valid'],
      ])
      this.out.result(view, text)
    } finally {
      await crypto.close()
    }
  }
}
