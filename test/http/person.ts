import type { FileInspection, Upload } from '../../src/shared/data-sources/files.ts'
import type { QueryPlanInput } from '../../src/shared/query/plan.ts'
import type { QueryResult } from '../../src/shared/query/result.ts'
import type { PageData } from '../../src/shared/session.ts'
import type {
  CreateLoadInput,
  CreateSourceInput,
  DataSource,
  SyncRun,
} from '../../src/shared/data-sources/data-sources.ts'

/** A refused call, as the server said it. */
export class ApiError extends Error {
  readonly status: number
  readonly body: { code: string }
  constructor(status: number, body: { code: string }) {
    super(`${status} ${JSON.stringify(body)}`)
    this.status = status
    this.body = body
  }
}

export const PASSWORD = 'a long enough sentence'

/** A person at a running server, over plain HTTP: cookies, anti-forgery token and workspace as a browser keeps them. */
export class Person {
  readonly #address: string
  readonly #cookies = new Map<string, string>()
  #csrf = ''
  #workspace = ''

  constructor(address: string) {
    this.#address = address
  }

  get address(): string {
    return this.#address
  }

  /** What every call of this person carries. */
  headers(type = 'application/json'): Record<string, string> {
    return {
      accept: 'application/json',
      'content-type': type,
      'x-csrf-token': this.#csrf,
      cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      origin: this.#address,
      ...(this.#workspace === '' ? {} : { 'x-workspace': this.#workspace }),
    }
  }

  /** What a browser needs to be signed in as this person. */
  cookies(): { name: string; value: string }[] {
    return [...this.#cookies].map(([name, value]) => ({ name, value }))
  }

  async send(method: string, path: string, body?: BodyInit, type = 'application/json'): Promise<Response> {
    const response = await fetch(new URL(path, this.#address), {
      method,
      headers: this.headers(type),
      ...(body === undefined ? {} : { body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name !== undefined && value !== undefined) this.#cookies.set(name, value)
    }
    return response
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.send(method, path, body === undefined ? undefined : JSON.stringify(body))
    const answer = await response.json()
    if (!response.ok) throw new ApiError(response.status, answer)
    return answer
  }

  #remember(data: PageData): void {
    this.#csrf = data.csrfToken
    if (data.workspace) this.#workspace = data.workspace.id
  }

  async register(email: string, settings: { timeZone?: string } = {}): Promise<void> {
    this.#remember(await this.call<PageData>('GET', '/api/session'))
    const account = { name: 'Anna Test', email, password: PASSWORD, acceptTerms: true }
    this.#remember(await this.call<PageData>('POST', '/api/account/register', account))
    await this.call('POST', '/api/workspaces', {
      name: 'Test AB',
      country: 'SE',
      currency: 'SEK',
      numberLocale: 'sv-SE',
      timeZone: settings.timeZone ?? 'UTC',
      fiscalYearStart: 1,
      weekStart: 'monday',
    })
    this.#remember(await this.call<PageData>('GET', '/api/session'))
  }

  /** Proves the address by the link of the mail that went there. */
  async confirmEmail({ link }: { link: string | null }): Promise<void> {
    const token = link?.split('#')[1]
    this.#remember(await this.call<PageData>('POST', '/api/account/email/proof/confirm', { token }))
  }

  async signIn(email: string): Promise<void> {
    this.#remember(await this.call<PageData>('GET', '/api/session'))
    this.#remember(await this.call<PageData>('POST', '/api/session/sign-in', { email, password: PASSWORD }))
  }

  /** Uploads a file part by part and answers its id. */
  async upload(fileName: string, file: Blob): Promise<string> {
    const upload = await this.call<Upload>('POST', '/api/uploads', { fileName, size: file.size })
    // Two parts on their way at a time, as the browser sends them.
    let next = 1
    const sender = async (): Promise<void> => {
      while (next <= upload.partCount) {
        const part = next++
        const bytes = file.slice((part - 1) * upload.partBytes, part * upload.partBytes)
        const path = `/files/uploads/${upload.id}/parts/${part}`
        const answer = await this.send('PUT', path, bytes, 'application/octet-stream')
        if (!answer.ok) throw new ApiError(answer.status, await answer.json())
      }
    }
    await Promise.all([sender(), sender()])
    await this.call('POST', `/api/uploads/${upload.id}/complete`)
    return upload.id
  }

  inspect(uploadId: string): Promise<FileInspection> {
    return this.call<FileInspection>('POST', `/api/uploads/${uploadId}/inspect`, {})
  }

  createSource(input: CreateSourceInput): Promise<DataSource> {
    return this.call<DataSource>('POST', '/api/data-sources', input)
  }

  load(datasetId: string, input: CreateLoadInput): Promise<SyncRun> {
    return this.call<SyncRun>('POST', `/api/datasets/${datasetId}/loads`, input)
  }

  /** Waits until a run has ended; `onProgress` sees each answer on the way. */
  async finished(runId: string, onProgress?: (run: SyncRun) => void, pollMs = 100): Promise<SyncRun> {
    for (;;) {
      const run = await this.call<SyncRun>('GET', `/api/runs/${runId}`)
      onProgress?.(run)
      if (run.state !== 'queued' && run.state !== 'running') return run
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }

  async query(plan: QueryPlanInput): Promise<QueryResult> {
    return this.call<QueryResult>('POST', '/api/query', { plan })
  }
}
