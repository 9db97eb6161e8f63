import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { usageError } from '../../src/cli/terminal/failure.js'

export default class BlockExport extends BaseCommand {
  static override description =
    `Write blocks with their certificates and results to a file: concatenated codec frames, NDJSON with --json.
A name that ends with .gz is compressed. The file is written completely or not at all; \`-\` writes to standard output.
"block import" verifies the file. Export the blocks of a node before it prunes them.`
  static override examples = [
    '<%= config.bin %> block export blocks.bin --from-height 1 --to-height 1000',
    '<%= config.bin %> block export blocks-1-100000.gz --to-height 100000',
    '<%= config.bin %> block export - --from-height 40 --to-height 42 --json',
  ]
  static override args = {
    file: Args.string({ description: 'new file, or - for standard output', required: true, ignoreStdin: true }),
  }
  static override flags = {
    'from-height': Flags.integer({
      aliases: ['from'],
      deprecateAliases: true,
      description: 'first height',
      default: 1,
      min: 1,
    }),
    'to-height': Flags.integer({
      aliases: ['to'],
      deprecateAliases: true,
      description: 'last height (default: height of the node)',
      min: 1,
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BlockExport)
    const settings = await this.settings(flags)
    const { withStreams } = await import('../../src/cli/gateway/gateway.js')
    const { exportBlocks } = await import('../../src/cli/chain/block-file.js')
    await withStreams(settings, async (client) => {
      const from = flags['from-height']
      const to = flags['to-height'] ?? (await client.height())
      if (to < from) throw usageError(`--to-height ${to} is below --from-height ${from}`)
      const range = { from, to, json: flags.json === true }
      const total = to - from + 1
      const done = await this.withBar('reading', 'blocks', (report) =>
        exportBlocks(client, args.file, range, (height) => report({ done: height - from + 1, total })),
      )
      if (args.file !== '-')
        this.out.result({ file: args.file, from, to, ...done }, `${args.file}: ${done.blocks} blocks`)
    })
  }
}
