import { Alert, Button, Checkbox, FileButton, Group, Image, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconArrowDown, IconArrowUp, IconPhotoUp, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { picturePath } from '../../../../src/shared/pictures'
import { KPI_FIGURES_MAX, type BlockOf, type ReportBlock } from '../../../../src/shared/reports/blocks'
import { REPORT_PICTURE_MAX_BYTES, REPORT_PICTURE_TYPES } from '../../../../src/shared/reports/reports'
import { STATEMENT_NAMES, STATEMENT_VIEWS, STATEMENTS } from '../../../../src/shared/statements/statements'
import { useFormat } from '../../../lib/format'
import { pictureError } from '../../../lib/pictures'
import { AddButton } from '../../../ui/buttons/add-button'
import { IconButton } from '../../../ui/buttons/icon-button'
import { FormError } from '../../../ui/forms/form-error'
import { putPicture } from '../queries'
import { BLOCK_NAMES } from '../../../../src/shared/reports/block-names'
import { TitleField, type KindProps } from './kind-fields'
import { InsightSettings, MetricSettings } from './chart-settings'
import { ObservationSettings } from './observation-settings'
import { useLedgers, usePickableForecasts } from './pickable'
import { SubjectSelect } from './subject-select'
import { TextHelp, TokenText } from './text-settings'

interface BlockSettingsProps {
  reportId: string
  block: ReportBlock
  /** Where else the block could be. */
  pages: readonly { id: string; name: string }[]
  page: string
  onChange: (block: ReportBlock) => void
  onMove: (page: string) => void
}

/** What a block shows and how. */
export function BlockSettings({ reportId, block, pages, page, onChange, onMove }: BlockSettingsProps) {
  return (
    <Stack gap="md">
      <Text component="h2" fw={620}>
        {BLOCK_NAMES[block.kind]}
      </Text>
      <KindSettings reportId={reportId} block={block} onChange={onChange} />
      {pages.length > 1 && (
        <Select
          label="Page"
          data={pages.map(({ id, name }) => ({ value: id, label: name }))}
          value={page}
          onChange={(next) => next !== null && onMove(next)}
        />
      )}
    </Stack>
  )
}

function KindSettings({ reportId, block, onChange }: Pick<BlockSettingsProps, 'reportId' | 'block' | 'onChange'>) {
  switch (block.kind) {
    case 'kpis':
      return <KpiSettings block={block} onChange={onChange} />
    case 'insight':
      return <InsightSettings block={block} onChange={onChange} />
    case 'metric':
      return <MetricSettings block={block} onChange={onChange} />
    case 'forecast':
      return <ForecastSettings block={block} onChange={onChange} />
    case 'statement':
      return <StatementSettings block={block} onChange={onChange} />
    case 'text':
      return (
        <>
          <TokenText label="Text" value={block.text} onChange={(text) => onChange({ ...block, text })} />
          <TextHelp />
        </>
      )
    case 'observation':
      return <ObservationSettings reportId={reportId} block={block} onChange={onChange} />
    case 'image':
      return <ImageSettings reportId={reportId} block={block} onChange={onChange} />
    case 'divider':
    case 'pageBreak':
      return null
  }
}

function KpiSettings({ block, onChange }: KindProps<BlockOf<'kpis'>>) {
  const { figures } = block
  const set = (next: typeof figures): void => onChange({ ...block, figures: next })
  const swap = (at: number, to: number): void => {
    const [one, other] = [figures[at], figures[to]]
    if (one && other) set(figures.with(at, other).with(to, one))
  }
  const last = figures.at(-1)
  return (
    <Stack gap="sm">
      {figures.map((figure, at) => (
        <Stack key={at} gap={6} pb="sm" style={{ borderBottom: '1px solid var(--line)' }}>
          <Group gap={4} justify="space-between" wrap="nowrap">
            <Text size="xs" fw={550} c="dimmed">
              Key figure {at + 1}
            </Text>
            <Group gap={2} wrap="nowrap">
              {at > 0 && (
                <IconButton icon={IconArrowUp} label={`Move figure ${at + 1} up`} onClick={() => swap(at, at - 1)} />
              )}
              {at < figures.length - 1 && (
                <IconButton
                  icon={IconArrowDown}
                  label={`Move figure ${at + 1} down`}
                  onClick={() => swap(at, at + 1)}
                />
              )}
              {figures.length > 1 && (
                <IconButton
                  icon={IconTrash}
                  label={`Remove figure ${at + 1}`}
                  onClick={() => set(figures.filter((_, i) => i !== at))}
                />
              )}
            </Group>
          </Group>
          <SubjectSelect value={figure.subject} onChange={(subject) => set(figures.with(at, { ...figure, subject }))} />
          <TextInput
            aria-label={`Label of figure ${at + 1}`}
            placeholder="Label (same as metric)"
            value={figure.label}
            maxLength={120}
            onChange={(event) => set(figures.with(at, { ...figure, label: event.currentTarget.value }))}
          />
        </Stack>
      ))}
      {figures.length < KPI_FIGURES_MAX && last && (
        <AddButton label="Add figure" onClick={() => set([...figures, { subject: last.subject, label: '' }])} />
      )}
    </Stack>
  )
}

function ForecastSettings({ block, onChange }: KindProps<BlockOf<'forecast'>>) {
  const forecasts = usePickableForecasts()
  return (
    <>
      <Select
        label="Forecast"
        searchable
        data={forecasts.items.map(({ id, name }) => ({ value: id, label: name }))}
        value={block.forecast}
        onChange={(forecast) => forecast !== null && onChange({ ...block, forecast })}
      />
      <TitleField
        value={block.title}
        placeholder="Same as forecast"
        onChange={(title) => onChange({ ...block, title })}
      />
    </>
  )
}

const VIEW_LABELS = {
  months: 'Months',
  quarters: 'Quarters',
  years: 'Years',
  ytd: 'Year to date',
  rolling: 'Rolling 12 months',
} as const

function StatementSettings({ block, onChange }: KindProps<BlockOf<'statement'>>) {
  const ledgers = useLedgers()
  const { query } = block
  const set = (change: Partial<typeof query>): void => onChange({ ...block, query: { ...query, ...change } })
  return (
    <>
      <Select
        label="Statement"
        data={STATEMENTS.map((kind) => ({ value: kind, label: STATEMENT_NAMES[kind].en }))}
        value={query.statement}
        onChange={(statement) => statement !== null && set({ statement })}
      />
      <Select
        label="Ledger"
        data={ledgers.items.map(({ id, name }) => ({ value: id, label: name }))}
        value={block.source}
        onChange={(source) => source !== null && onChange({ ...block, source })}
      />
      <Select
        label="Columns"
        data={STATEMENT_VIEWS.map((view) => ({ value: view, label: VIEW_LABELS[view] }))}
        value={query.view}
        onChange={(view) => view !== null && set({ view })}
      />
      <Stack gap={8}>
        {(['lastYear', 'budget', 'variance'] as const).map((key) => (
          <Checkbox
            key={key}
            label={{ lastYear: 'Last year', budget: 'Budget', variance: 'Variance' }[key]}
            checked={query[key] === '1'}
            onChange={(event) => set({ [key]: event.currentTarget.checked ? '1' : '0' })}
          />
        ))}
        <Checkbox
          label="Accounts"
          checked={block.accounts}
          onChange={(event) => onChange({ ...block, accounts: event.currentTarget.checked })}
        />
      </Stack>
      <Select
        label="Language"
        data={[
          { value: 'en', label: 'English' },
          { value: 'sv', label: 'Swedish' },
        ]}
        value={block.language}
        onChange={(language) => language !== null && onChange({ ...block, language })}
      />
      <TitleField
        value={block.title}
        placeholder="Same as statement"
        onChange={(title) => onChange({ ...block, title })}
      />
    </>
  )
}

function ImageSettings({ reportId, block, onChange }: KindProps<BlockOf<'image'>> & { reportId: string }) {
  const format = useFormat()
  const [refused, setRefused] = useState<string | null>(null)
  const send = useMutation({
    mutationFn: (file: File) => putPicture(reportId, file),
    onSuccess: ({ picture }) => onChange({ ...block, picture }),
  })
  const choose = (file: File | null): void => {
    if (!file) return
    const fault = pictureError(file, { noun: 'An image', maxBytes: REPORT_PICTURE_MAX_BYTES, format })
    setRefused(fault)
    if (fault === null) send.mutate(file)
  }
  const path = picturePath(block.picture)
  return (
    <>
      {path !== null && <Image src={path} alt={block.alt} mah={160} fit="contain" />}
      <FileButton onChange={choose} accept={REPORT_PICTURE_TYPES.join(',')} inputProps={{ 'aria-label': 'Image file' }}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<IconPhotoUp size={16} aria-hidden />}
            loading={send.isPending}
          >
            {path === null ? 'Choose image' : 'Change image'}
          </Button>
        )}
      </FileButton>
      {refused !== null && (
        <Alert color="red" role="alert">
          {refused}
        </Alert>
      )}
      <FormError error={send.error} />
      <TextInput
        label="Description"
        placeholder="What the image shows, for screen readers"
        value={block.alt}
        maxLength={200}
        onChange={(event) => onChange({ ...block, alt: event.currentTarget.value })}
      />
    </>
  )
}
