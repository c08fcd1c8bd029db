-- A setting of delimited texts has the field's own name: requests of loads, which retries read, keep their meaning.
UPDATE runs SET request = replace(request, '"blanksBeforeQuotes":true', '"skipInitialSpace":true')
WHERE instr(request, '"blanksBeforeQuotes":true') > 0;
