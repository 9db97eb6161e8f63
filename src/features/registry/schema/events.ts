/** Owns the events of packages: data triggers and streams find them by package id. */
import { bool, bytesN, hash32, option, u32 } from '../../../codec/index.js'
import { accountId, accountParty, defineEvents, type EventSubject } from '../../../model/index.js'
import { packageId, releasePolicy, releaseVersion, tagName } from './records.js'

const about: EventSubject<{ readonly package: string; readonly by: string }> = {
  subject: 'registry',
  about: (value) => ({ objects: [value.package], parties: [accountParty(value.by)] }),
}
const base = { package: packageId, by: accountId }
const release = { ...base, version: releaseVersion }

export const events = defineEvents({
  packageCreated: { id: 1300, record: { ...base, policy: releasePolicy }, ...about },
  packageChanged: { id: 1301, record: { ...base, policy: releasePolicy }, ...about },
  packageRemoved: { id: 1302, record: base, ...about },
  releasePublished: { id: 1303, record: { ...release, digest: hash32 }, ...about },
  releaseYanked: { id: 1304, record: { ...release, yanked: bool, revision: u32 }, ...about },
  releaseAttested: { id: 1305, record: { ...release, key: bytesN(32) }, ...about },
  releaseTagged: {
    id: 1306,
    record: { ...base, tag: tagName, version: option(releaseVersion), revision: u32 },
    ...about,
  },
})
