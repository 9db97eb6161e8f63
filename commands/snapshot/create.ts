import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { nodeConfigFlags, nodeConfigPath } from '../../src/cli/command/flags.js'
import { pairs } from '../../src/cli/terminal/output.js'

export default class SnapshotCreate extends BaseCommand {
  static override description =
    `Write the state of a stopped node to one file, with the headers and certificates that prove it.
Every row is checked against the state tree. Use a node that is stopped for a moment, or a
backup with --data-dir.`
  static override examples = [
    '<%= config.bin %> snapshot create state.snapshot --config node.toml',
    '<%= config.bin %> snapshot create state.snapshot --peer-dir .causeway/localnet/val-3 --json',
  ]
  static override args = { file: Args.string({ description: 'new file', required: true, ignoreStdin: true }) }
  static override flags = {
    ...nodeConfigFlags,
    'data-dir': Flags.string({ description: 'data directory, if not the one of the configuration' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SnapshotCreate)
    const { stat } = await import('node:fs/promises')
    const { loadNodeConfig } = await import('../../src/node/config/index.js')
    const { withDataDir } = await import('../../src/node/offline/offline.js')
    const { createSnapshot } = await import('../../src/node/offline/create-snapshot.js')
    const config = await loadNodeConfig(nodeConfigPath(flags))
    const made = await this.withBar('writing', 'rows', (say) =>
      withDataDir(config, flags['data-dir'], (place) =>
        createSnapshot(place, args.file, (count) => say({ done: count })),
      ),
    )
    const { size } = await stat(args.file)
    const view = {
      file: args.file,
      chain: made.chain,
      height: made.height,
      block_hash: Buffer.from(made.blockHash).toString('hex'),
      state_root: Buffer.from(made.stateRoot).toString('hex'),
      rows: made.rows,
      bytes: size,
    }
    const text = pairs([
      ['snapshot', `${args.file} (${size} bytes, ${made.rows} rows)`],
      ['chain', made.chain],
      ['height', String(made.height)],
      ['block', view.block_hash],
      ['state root', view.state_root],
    ])
    this.out.result(view, text)
    this.out.hint('Check it anywhere: causeway snapshot verify FILE --config node.toml')
  }
}
