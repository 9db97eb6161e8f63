import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { withStreams } from '../../src/cli/gateway/gateway.js'
import { eventLine, filterFlags, filterOf, follow, tailFlags } from '../../src/cli/gateway/tail.js'

export default class EventsWatch extends BaseCommand {
  static override description = `Print events as they are committed, one line each, NDJSON with --json.
Resumes after a lost connection. Prints the events that match all given filters; without filters, all events.`
  static override examples = [
    '<%= config.bin %> events watch',
    '<%= config.bin %> events watch --kind Transferred --asset eur#bank --json',
    '<%= config.bin %> events watch --from-height 1 --category block --limit 10',
    '<%= config.bin %> events watch --after 120.4',
  ]
  static override flags = {
    ...filterFlags,
    ...tailFlags,
    'from-height': Flags.integer({ description: 'first height of the events', min: 1, exclusive: ['after'] }),
    after: Flags.string({ description: 'resume after the event with this id', helpValue: 'HEIGHT.INDEX' }),
    sse: Flags.boolean({ description: 'use Server-Sent Events instead of a WebSocket' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(EventsWatch)
    const settings = await this.settings(flags)
    const { eventFilter, streamEvent } = await import('../../src/api/index.js')
    const exit = await withStreams(settings, async (client) => {
      const codec = await client.codec()
      const aliases = client.aliases()
      const filter = await aliases.settled(() => filterOf(flags, aliases.reading(codec), eventFilter))
      const { after, 'from-height': fromHeight } = flags
      const request = {
        filters: filter === undefined ? [] : [filter],
        transport: flags.sse ? ('sse' as const) : ('websocket' as const),
        after,
        fromHeight,
      }
      return follow(
        (signal) => client.events({ ...request, signal }),
        flags.limit,
        (item) => {
          if (item.kind === 'gap') {
            const { from, to } = item.value
            this.out.line({ gap: { from, to } }, `- this node does not replay heights ${from} to ${to}`)
            return
          }
          const jsonForm = streamEvent.toJson(item.value, codec)
          this.out.line(jsonForm, eventLine(item.value, jsonForm))
        },
      )
    })
    this.exitWith(exit)
  }
}
