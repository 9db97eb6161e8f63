import { Flags } from '@oclif/core'
import { BaseCommand } from '../src/cli/command/base-command.js'
import { openBrowser } from '../src/cli/gateway/browser.js'
import { withGateway } from '../src/cli/gateway/gateway.js'
import { headerOf } from '../src/client/answer.js'
import { notAGateway } from '../src/client/decoded.js'
import type { CausewayClient } from '../src/client/index.js'
import { LedgerError } from '../src/model/errors.js'

/** Where a gateway has the pages. */
const HOME = '/explorer/'

export default class Explorer extends BaseCommand {
  static override description = `Print the address of the web explorer of a node, which shows the chain in a browser.
With --open it is opened in the browser of this machine. A node serves it unless explorer.enabled is false.`
  static override examples = [
    '<%= config.bin %> explorer',
    '<%= config.bin %> explorer --open --gateway http://127.0.0.1:8081',
  ]
  static override flags = {
    open: Flags.boolean({ description: 'open the pages in a browser' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Explorer)
    const settings = await this.settings(flags)
    await withGateway(settings, askForPages)
    const url = `${settings.gateway.replace(/\/$/, '')}${HOME}`
    const opened = flags.open && (await openBrowser(url))
    this.out.result({ url, opened }, url)
    if (flags.open && !opened) this.out.note('No browser was found on this machine: open the address manually.')
  }
}

/** Throws where the node does not serve the pages. */
async function askForPages(client: CausewayClient): Promise<void> {
  const answer = await client.api('GET', HOME).catch((error: unknown) => {
    if (!(error instanceof LedgerError) || error.code !== 'route_not_found') throw error
    throw new LedgerError('route_not_enabled', 'this node does not serve the web explorer', {
      hint: 'Set explorer.enabled in its configuration, or build the program with its pages.',
    })
  }) // Whoever opens the address trusts it with a browser: it has to be the page that may do nothing but ask its node.
  const policy = headerOf(answer, 'content-security-policy')
  if (!policy?.startsWith("default-src 'none'")) throw notAGateway('the page is not the web explorer')
}
