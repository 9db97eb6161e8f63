/** Owns the configuration of webhooks. */
import { defineConfig } from '../../../config/index.js'

/** Value that lets every registered account add webhooks. */
export const ANY_OWNER = '*'

export interface WebhookConfig {
  /** Addresses or aliases, or `*`; operators always have permission. */
  readonly owners: readonly string[]
}

export const webhookConfig = defineConfig<WebhookConfig>({
  sections: { webhooks: 'Webhooks: committed events, sent to endpoints of accounts.' },
  keys: [
    {
      path: ['webhooks', 'owners'],
      kind: { type: 'texts', values: ['accounts'], fault: () => undefined },
      fallback: [],
      doc: [
        'Accounts (addresses or aliases) that may add webhooks besides the operators of the node; "*": every account',
        'that is registered on the ledger.',
      ],
    },
  ],
  build: ({ get }) => ({ owners: get('webhooks.owners') }),
})
