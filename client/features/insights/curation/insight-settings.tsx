import { FormDialog } from '../../../ui/forms/form-dialog'
import { Select, Switch } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Insight } from '../../../../src/shared/insights'
import { FormError } from '../../../ui/forms/form-error'
import { updateInsightSettings } from './queries'
import { categoriesQuery } from '../../../lib/queries/insight-queries'

export function InsightSettings({ insight, onClose }: { insight: Insight; onClose: () => void }) {
  const categories = useQuery(categoriesQuery())
  const [categoryId, setCategoryId] = useState(insight.categoryId ?? '')
  const [findings, setFindings] = useState(insight.findings === 'on')
  const saving = useMutation({
    mutationFn: () =>
      updateInsightSettings(insight.id, {
        categoryId: categoryId === '' ? null : categoryId,
        findings: findings ? 'on' : 'off',
      }),
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title="Category and findings"
      submit="Save"
      pending={saving.isPending}
      disabled={!categories.data}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <Select
        label="Category"
        description="Manage categories on the Insights page."
        data={[
          { value: '', label: 'None' },
          ...(categories.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={categoryId}
        disabled={!categories.data}
        data-autofocus
        onChange={(value) => setCategoryId(value ?? '')}
      />
      <Switch
        label="Find changes"
        description="Analyse after every import."
        checked={findings}
        onChange={(event) => setFindings(event.currentTarget.checked)}
      />
      <FormError error={saving.error ?? categories.error} />
    </FormDialog>
  )
}
