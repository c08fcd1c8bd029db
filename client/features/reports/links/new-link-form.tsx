import { Checkbox, Group, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../lib/api'
import { DialogForm } from '../../../ui/forms/form-dialog'
import { FormError } from '../../../ui/forms/form-error'
import {
  EMBED_ORIGINS_MAX,
  LINK_DAYS_DEFAULT,
  LINK_PASSCODE_MIN_CHARS,
  type CreatedLink,
  type CreateLinkInput,
} from '../../../../src/shared/reports/links'
import type { Report, ReportFilter } from '../../../../src/shared/reports/reports'
import type { FieldFilter } from '../../../../src/shared/query/plan'
import { editionsQuery } from '../editions/queries'
import { editionName } from '../editions/edition-name'
import { FilterControl } from '../view/filter-control'
import { useCreateLink } from './queries'

const DAYS = [1, 7, 30, 90]
const EMPTY = { name: '', days: LINK_DAYS_DEFAULT, passcode: '', periodOpen: false, download: false, origins: '' }

/** What of the report's filters is another than the report has it. */
interface LinkFilterDraft {
  filter: FieldFilter | null
  open: boolean
}
type Filters = Readonly<Record<string, LinkFilterDraft>>

interface NewLinkFormProps {
  report: Report
  onCreated: (link: CreatedLink) => void
  onCancel: () => void
}

const sitesOf = (text: string): string[] => text.split(/[\s,]+/).filter((site) => site !== '')
/** What is wrong with a field, as the server says it. */
const fieldError = (error: unknown, field: string): string | undefined => {
  const fields = error instanceof ApiError ? error.body['fields'] : undefined
  if (typeof fields !== 'object' || fields === null) return undefined
  const found = Object.entries(fields).find(([path]) => path === field || path.startsWith(`${field}.`))
  return typeof found?.[1] === 'string' ? found[1] : undefined
}

/** Number of the edition that most links are for; null where there is none yet. */
function useNewestEdition({ id, kind }: Report): string | null {
  const { data = [] } = useQuery({ ...editionsQuery(id), enabled: kind === 'legacy' })
  return data.length === 0 ? null : String(Math.max(...data.map(({ n }) => n)))
}

/** What a new link shows, to whom, for how long, and what viewers may change. */
export function NewLinkForm({ report, onCreated, onCancel }: NewLinkFormProps) {
  const [draft, setDraft] = useState(EMPTY)
  const [filters, setFilters] = useState<Filters>({})
  const [chosen, setChosen] = useState<string | null>(null)
  const create = useCreateLink()
  const isLegacy = report.kind === 'legacy'
  const newest = useNewestEdition(report)
  const edition = chosen ?? newest
  const set = (change: Partial<typeof EMPTY>): void => setDraft({ ...draft, ...change })
  const submit = (): void => {
    const { passcode, origins, ...rest } = draft
    const input: CreateLinkInput = {
      ...rest,
      passcode: passcode === '' ? null : passcode,
      origins: sitesOf(origins),
      edition: edition === null ? null : Number(edition),
      filters: Object.entries(filters).map(([id, one]) => ({ id, ...one })),
    }
    create.mutate({ report: report.id, ...input }, { onSuccess: onCreated })
  }
  const { error } = create
  return (
    <DialogForm
      submit="Create link"
      pending={create.isPending}
      disabled={isLegacy && edition === null}
      onSubmit={submit}
      onClose={onCancel}
    >
      <TextInput
        label="Name"
        description="Only your workspace sees it"
        placeholder="e.g. Board, bank"
        maxLength={80}
        value={draft.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        data-autofocus
      />
      {isLegacy && <EditionSelect report={report} value={edition} onChange={setChosen} />}
      <Group grow align="flex-start">
        <Select
          label="Expires after"
          allowDeselect={false}
          value={String(draft.days)}
          data={DAYS.map((days) => ({ value: String(days), label: days === 1 ? '1 day' : `${days} days` }))}
          onChange={(days) => set({ days: Number(days ?? LINK_DAYS_DEFAULT) })}
        />
        <TextInput
          label="Passcode"
          placeholder="Optional"
          autoComplete="off"
          maxLength={64}
          value={draft.passcode}
          onChange={(event) => set({ passcode: event.currentTarget.value })}
          error={
            fieldError(error, 'passcode') === undefined ? undefined : `At least ${LINK_PASSCODE_MIN_CHARS} characters`
          }
        />
      </Group>
      {!isLegacy && (report.published?.filters ?? []).length > 0 && (
        <FilterChoices filters={report.published?.filters ?? []} chosen={filters} onChange={setFilters} />
      )}
      <Stack gap="xs">
        {!isLegacy && (
          <Switch
            label="Viewers can change the period"
            description="Figures without a date are not limited to the period"
            checked={draft.periodOpen}
            onChange={(event) => set({ periodOpen: event.currentTarget.checked })}
          />
        )}
        <Switch
          label="Viewers can download a PDF"
          checked={draft.download}
          onChange={(event) => set({ download: event.currentTarget.checked })}
        />
      </Stack>
      <Textarea
        label="Sites that may embed it"
        description={`Optional, up to ${EMBED_ORIGINS_MAX}, one per line`}
        placeholder="https://intranet.example.com"
        autosize
        minRows={1}
        maxRows={4}
        value={draft.origins}
        onChange={(event) => set({ origins: event.currentTarget.value })}
        error={fieldError(error, 'origins')}
      />
      {error && !fieldError(error, 'origins') && !fieldError(error, 'passcode') && <FormError error={error} />}
    </DialogForm>
  )
}

function EditionSelect({
  report,
  value,
  onChange,
}: {
  report: Report
  value: string | null
  onChange: (n: string | null) => void
}) {
  const editions = useQuery(editionsQuery(report.id))
  return (
    <Select
      label="Edition"
      allowDeselect={false}
      placeholder={editions.data?.length === 0 ? 'No editions yet' : 'Choose an edition'}
      value={value}
      data={(editions.data ?? []).map((one) => ({ value: String(one.n), label: editionName(one) }))}
      onChange={onChange}
    />
  )
}

interface FilterChoicesProps {
  filters: readonly ReportFilter[]
  chosen: Filters
  onChange: (filters: Filters) => void
}

/** Each filter of the report: what it is set to, and whether viewers may set it otherwise. */
function FilterChoices({ filters, chosen, onChange }: FilterChoicesProps) {
  const set = (id: string, change: Partial<LinkFilterDraft>, own: FieldFilter | null): void => {
    const next = { filter: null, open: false, ...chosen[id], ...change }
    const { [id]: _gone, ...rest } = chosen
    const isOwn = !next.open && JSON.stringify(next.filter) === JSON.stringify(own)
    onChange(isOwn || (!next.open && next.filter === null) ? rest : { ...rest, [id]: next })
  }
  return (
    <Stack gap="xs" role="group" aria-label="Filters">
      <div>
        <Text size="sm" fw={500}>
          Filters
        </Text>
        <Text size="xs" c="dimmed">
          Figures that don’t follow a fixed filter are hidden.
        </Text>
      </div>
      {filters.map((filter) => (
        <Group key={filter.id} gap="sm" justify="space-between">
          <FilterControl
            filter={filter}
            value={chosen[filter.id]?.filter ?? filter.filter}
            onChange={(value) => set(filter.id, { filter: value }, filter.filter)}
          />
          <Checkbox
            size="xs"
            label="Viewers can change it"
            aria-label={`Viewers can change ${filter.label}`}
            checked={chosen[filter.id]?.open ?? false}
            onChange={(event) => set(filter.id, { open: event.currentTarget.checked }, filter.filter)}
          />
        </Group>
      ))}
    </Stack>
  )
}
