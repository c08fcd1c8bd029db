import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Forecast } from '../../../src/shared/forecasts'
import { fieldErrors, FormError } from '../../ui/form-error'
import { useUpdateForecast } from './queries'
import { forecastUpdate } from './settings-of'

/** Another name; nothing is computed anew for it. */
export function RenameForecast({ forecast, onClose }: { forecast: Forecast; onClose: () => void }) {
  const [name, setName] = useState(forecast.name)
  const saving = useUpdateForecast()
  const fields = fieldErrors(saving.error) ?? {}
  return (
    <Modal opened onClose={onClose} title="Rename forecast">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate(forecastUpdate(forecast, { name }), { onSuccess: onClose })
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            value={name}
            maxLength={80}
            error={fields['name']}
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {fields['name'] === undefined && <FormError error={saving.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={saving.isPending} disabled={name.trim() === ''}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
