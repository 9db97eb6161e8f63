import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { askGateway, textOf, type View, viewOf, viewsOf } from '../../../src/cli/gateway/gateway.js'
import { pairs, table } from '../../../src/cli/terminal/output.js'

/** Figures of relays, in all or of a domain. */
const FIGURES = ['healthy', 'degraded', 'unavailable', 'unreported', 'reports', 'registrations', 'failovers'] as const

export default class ConferenceRelayHealth extends BaseCommand {
  static override description = 'Show the health of relays by their last reports, in total and by domain.'
  static override examples = [
    '<%= config.bin %> conference relay health',
    '<%= config.bin %> conference relay health --json',
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(ConferenceRelayHealth)
    const view = await askGateway(await this.settings(flags), ({ conference }) => conference.relayHealth)
    const domains = viewsOf(view.domains).map(({ domain, totals }) => {
      const { counters, ...states } = viewOf(totals)
      const { health_reports: reports, ...others } = viewOf(counters)
      const figures: View = { ...states, ...others, reports }
      return [domain, ...FIGURES.map((name) => figures[name])].map((value) => textOf(value) ?? '')
    })
    const all = pairs(FIGURES.map((name) => [name, textOf(view[`${name}_total`])] as const))
    const head = ['DOMAIN', ...FIGURES.map((name) => name.toUpperCase())]
    this.out.result(view, domains.length === 0 ? all : `${all}\n\n${table(head, domains)}`)
  }
}
