/** Owns the configuration of notifications. */
import { defineConfig, httpUrlFault } from '../../../config/index.js'

export interface NotifyConfig {
  readonly enabled: boolean
  /** `mailto:` or `https:` URI; required if notifications are enabled. */
  readonly subject: string
  /** Service of the operator for fcm and apns. */
  readonly upstream: { readonly url: string; readonly tokenFile: string | undefined } | undefined
}

const UPSTREAM_EXAMPLE = 'https://push.bank.example/send'

const isUrl = (text: string, ...protocols: readonly string[]): boolean =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol)

export const notifyConfig = defineConfig<NotifyConfig>({
  sections: {
    notify: 'Notifications: devices of accounts are notified of events. A hint only: it may be late, merged, or lost.',
  },
  keys: [
    {
      path: ['notify', 'enabled'],
      kind: { type: 'boolean' },
      fallback: false,
      doc: ['Accept devices, and send to push services of browsers: to public hosts, as `outbound` allows.'],
    },
    {
      path: ['notify', 'subject'],
      kind: { type: 'text' },
      example: 'mailto:operations@bank.example',
      doc: ['Contact of this node for push services: mailto: or https:. Required if enabled.'],
    },
    {
      path: ['notify', 'upstream_url'],
      kind: { type: 'text' },
      example: UPSTREAM_EXAMPLE,
      doc: [
        'Your service that forwards to fcm and apns: it receives a POST {platform, token, type, id}. Absent: browsers only.',
        'It may be in a private network.',
      ],
    },
    {
      path: ['notify', 'upstream_token_file'],
      kind: { type: 'path' },
      example: 'keys/push.token',
      doc: ['File with the token that it expects as `authorization: Bearer`.'],
    },
  ],
  build: ({ get, path, has }) => ({
    enabled: get('notify.enabled'),
    subject: has('notify.subject') ? get('notify.subject') : '',
    upstream: has('notify.upstream_url')
      ? { url: get('notify.upstream_url'), tokenFile: path('notify.upstream_token_file') }
      : undefined,
  }),
  check: ({ get, has }) => {
    const upstream = get<string | undefined>('notify.upstream_url')
    const upstreamFault = upstream && httpUrlFault(upstream, `a service such as "${UPSTREAM_EXAMPLE}"`)
    return [
      ...(get<boolean | undefined>('notify.enabled') !== true || has('notify.subject')
        ? []
        : [{ path: 'notify.enabled', message: 'requires notify.subject: push services need a contact' }]),
      ...(!has('notify.subject') || isUrl(get('notify.subject'), 'mailto:', 'https:')
        ? []
        : [{ path: 'notify.subject', message: 'expected mailto:... or https://...' }]),
      ...(upstreamFault ? [{ path: 'notify.upstream_url', message: upstreamFault }] : []),
    ]
  },
})
