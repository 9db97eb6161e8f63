import { Flags } from '@oclif/core'
import { shortId } from '../../src/base/ids.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { withStreams } from '../../src/cli/gateway/gateway.js'
import { follow, tailFlags } from '../../src/cli/gateway/tail.js'
import { counted } from '../../src/cli/terminal/output.js'
import { isoTime } from '../../src/cli/text/figures.js'
import { rejectionOf } from '../../src/model/index.js'

export default class BlockWatch extends BaseCommand {
  static override description =
    `Print blocks as they are committed, one line each; complete NDJSON with transactions and results with --json.
Resumes after a lost connection.`
  static override examples = [
    '<%= config.bin %> block watch',
    '<%= config.bin %> block watch --from-height 1 --json',
    '<%= config.bin %> block watch --from-height 1 --limit 3',
  ]
  static override flags = {
    ...tailFlags,
    'from-height': Flags.integer({ description: 'height of the first block (default: the next one)', min: 1 }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(BlockWatch)
    const settings = await this.settings(flags)
    const { streamedBlock } = await import('../../src/api/index.js')
    const exit = await withStreams(settings, async (client) => {
      const codec = await client.codec()
      const fromHeight = flags['from-height'] ?? (await client.height()) + 1
      return follow(
        (signal) => client.blocks({ fromHeight, signal }),
        flags.limit,
        (item) => {
          if (item.kind === 'gap') {
            const { from, to } = item.value
            this.out.line({ gap: { from, to } }, `- blocks ${from} to ${to} are not stored on this node`)
            return
          }
          const { hash, header, results } = item.value
          const rejected = results.filter(({ outcome }) => rejectionOf(outcome) !== undefined).length
          const time = isoTime(header.timeMs)
          const text = `${header.height}  ${shortId(Buffer.from(hash).toString('hex'))}  ${time}  ${counted(results.length, 'transaction')}, ${rejected} rejected`
          this.out.line(streamedBlock.toJson(item.value, codec), text)
        },
      )
    })
    this.exitWith(exit)
  }
}
