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
        'Serve the pages. They read what anybody may read of this gateway, and ask for the token where it wants one.',
      ],
    },
  ],
  build: ({ get }) => ({ enabled: get('explorer.enabled') }),
})
