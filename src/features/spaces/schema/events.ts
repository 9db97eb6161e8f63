/** Owns the events of manifests: data triggers and streams find them by dataspace number. */
import { u32, varintBig } from '../../../codec/index.js'
import { accountId, accountParty, defineEvents, type EventSubject } from '../../../model/index.js'

const record = { dataspace: varintBig, account: accountId, version: u32 }
const space: EventSubject<{ readonly dataspace: bigint; readonly account: string }> = {
  subject: 'space',
  about: ({ dataspace, account }) => ({ objects: [String(dataspace)], parties: [accountParty(account)] }),
}

export const events = defineEvents({
  spaceManifestPublished: { id: 1600, record, ...space },
  spaceManifestRevoked: { id: 1601, record, ...space },
  spaceManifestExpired: { id: 1602, record, ...space },
})
