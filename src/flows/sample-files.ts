import type { Scope } from '../access/scope'
import type { Deps } from '../deps'
import { sampleStore } from '../features/sample/store'
import { completeUpload, createUpload, putPart } from '../features/uploads/service'
import { createXlsxStream } from '../formats/xlsx-writer'
import type { XlsxCell } from '../formats/xlsx-writer'
import { companyFiles, customerSheet, generateCompany } from '../sample/sample-company'
import type { SampleFile } from '../sample/sample-company'
import { UPLOAD_PART_BYTES } from '../shared/limits'

/** Who brings the sample in, as the database says at this stage. */
export interface SampleJob {
  deps: Deps
  scope: Scope
  name: string
  jobId: string
}
/** Uploads of the company's files, the ledger's oldest year first. */
export interface SampleUploads {
  orders: string
  customers: string
  ledger: string[]
}
export const noIdempotentReply = () => null

/** Makes the company up and uploads its files as a person would. */
export async function writeSampleFiles(job: SampleJob): Promise<SampleUploads> {
  const { deps, scope, jobId } = job
  const now = deps.clock.now()
  const company = generateCompany(new Date(now).toISOString().slice(0, 10))
  const files = companyFiles(company)
  const sheet = customerSheet(company)
  const workbook = await new Response(createXlsxStream('Customers', rowsOf(sheet.rows))).bytes()
  const orders = await uploadFile(job, files.orders)
  const customers = await uploadFile(job, { fileName: sheet.fileName, bytes: workbook })
  const ledger: string[] = []
  for (const year of files.ledger) ledger.push(await uploadFile(job, year))
  await sampleStore(deps.db, scope).saveProgress(jobId, { done: 0, uploads: [orders, customers, ...ledger], now })
  return { orders, customers, ledger }
}

// The writer takes rows as they come.
async function* rowsOf(rows: XlsxCell[][]): AsyncGenerator<XlsxCell[]> {
  yield* rows
}

async function uploadFile({ deps, scope }: SampleJob, { fileName, bytes }: SampleFile): Promise<string> {
  const { id, partCount } = await createUpload(deps, {
    scope,
    input: { fileName, size: bytes.length },
    reply: noIdempotentReply,
  })
  for (let number = 1; number <= partCount; number++) {
    const part = bytes.subarray((number - 1) * UPLOAD_PART_BYTES, number * UPLOAD_PART_BYTES)
    await putPart(deps, scope, { uploadId: id, number, declared: part.length, body: new Blob([part]).stream() })
  }
  await completeUpload(deps, scope, { id, reply: noIdempotentReply })
  return id
}
