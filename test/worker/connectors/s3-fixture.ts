import { emulatorDoors } from './doors'
import type { ConnectorFixture } from './fixture'
import { createBucketServer } from '../../../emulators/files/bucket-server.ts'

/** A bucket of two files of orders and one of another kind. */
export function s3Fixture(): ConnectorFixture {
  const settings = {
    endpoint: 'https://s3.example.com',
    region: 'eu-north-1',
    bucket: 'orders',
    pattern: 'daily/*.csv',
  }
  return {
    connection: { settings, secrets: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret-of-the-bucket' } },
    refused: { settings, secrets: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wrong-secret' } },
    doors: () => {
      const server = createBucketServer({
        bucket: 'orders',
        region: 'eu-north-1',
        accessKeyId: 'AKIDEXAMPLE',
        secretAccessKey: 'secret-of-the-bucket',
      })
      server.put('daily/2026-01-01.csv', 'id,amount\n1,10\n2,20\n', '2026-01-01T10:00:00.000Z')
      server.put('daily/2026-01-02.csv', 'id,amount\n3,30\n', '2026-01-02T10:00:00.000Z')
      server.put('readme.txt', 'not a table', '2026-01-03T10:00:00.000Z')
      return emulatorDoors((request) => server.answer(request))
    },
  }
}
