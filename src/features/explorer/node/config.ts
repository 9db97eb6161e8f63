/** Owns the configuration of the web explorer. */
import { defineConfig } from '../../../config/index.js'

export interface ExplorerConfig {
  readonly enabled: boolean
}

export const explorerConfig = defineConfig<ExplorerConfig>({
  sections: { explorer: 'The web explorer: pages at /explorer/ that show the chain and this node in a browser.' },
  keys: [
    {
      path: ['explorer', 'enabled'],
      kind: { type: 'boolean' },
      fallback: true,
      doc: [
        'Serve the pages. They read only what any client of this gateway can read, and ask for a token if the gateway requires one.',
      ],
    },
  ],
  build: ({ get }) => ({ enabled: get('explorer.enabled') }),
})
