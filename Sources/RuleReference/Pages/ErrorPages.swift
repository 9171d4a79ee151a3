// The pages of docs/errors and docs/warnings.md, which the build puts into the program, so that it can tell of each code
// wherever it stands. A test holds the list against the folder.

enum ErrorPages {
    static let all: [[UInt8]] = [
        PackageResources.app_exists_md, PackageResources.app_name_md, PackageResources.app_not_named_md,
        PackageResources.app_quarantined_md, PackageResources.app_too_large_md, PackageResources.app_unknown_md,
        PackageResources.backup_not_written_md, PackageResources.bad_value_md, PackageResources.budget_fuel_md,
        PackageResources.budget_memory_md, PackageResources.budget_time_md, PackageResources.case_failed_md,
        PackageResources.case_file_missing_md, PackageResources.case_file_not_a_list_md, PackageResources.case_invalid_md,
        PackageResources.device_invalid_md, PackageResources.event_invalid_md, PackageResources.fetch_unavailable_md,
        PackageResources.field_path_md, PackageResources.file_not_written_md, PackageResources.file_too_large_md,
        PackageResources.file_unreadable_md, PackageResources.flags_disagree_md, PackageResources.git_missing_md,
        PackageResources.host_closing_md, PackageResources.idempotency_mismatch_md, PackageResources.input_twice_md,
        PackageResources.internal_fault_md, PackageResources.invalid_value_md, PackageResources.json_depth_md,
        PackageResources.json_empty_md, PackageResources.json_escape_md, PackageResources.json_number_md,
        PackageResources.json_string_md, PackageResources.json_token_md, PackageResources.json_trailing_md,
        PackageResources.json_unfinished_md, PackageResources.link_outside_md, PackageResources.lua_syntax_md,
        PackageResources.manifest_api_md, PackageResources.manifest_missing_md, PackageResources.manifest_not_a_table_md,
        PackageResources.missing_operand_md, PackageResources.missing_value_md, PackageResources.needless_value_md,
        PackageResources.no_case_ran_md, PackageResources.no_thread_md, PackageResources.no_traffic_md,
        PackageResources.not_an_object_md, PackageResources.not_promoted_md, PackageResources.not_utf8_md,
        PackageResources.now_not_allowed_md, PackageResources.out_of_memory_md, PackageResources.output_not_written_md,
        PackageResources.queue_full_md, PackageResources.report_not_written_md, PackageResources.request_invalid_md,
        PackageResources.revision_unknown_md, PackageResources.revision_unreadable_md, PackageResources.rolled_back_md,
        PackageResources.rule_misplaced_md, PackageResources.rule_name_twice_md, PackageResources.rule_raised_md,
        PackageResources.rule_without_decide_md, PackageResources.rule_without_name_md, PackageResources.rule_without_on_md,
        PackageResources.rules_missing_md, PackageResources.script_raised_md, PackageResources.source_refused_md,
        PackageResources.state_invalid_md, PackageResources.state_not_written_md, PackageResources.state_unreadable_md,
        PackageResources.store_damaged_md, PackageResources.store_failed_md, PackageResources.store_foreign_md,
        PackageResources.store_full_md, PackageResources.store_locked_md, PackageResources.store_missing_md,
        PackageResources.store_newer_md, PackageResources.store_read_only_md, PackageResources.too_large_md,
        PackageResources.too_many_combinations_md, PackageResources.too_many_files_md, PackageResources.too_many_rules_md,
        PackageResources.traffic_invalid_md, PackageResources.undefined_name_md, PackageResources.unexpected_operand_md,
        PackageResources.unknown_entry_md, PackageResources.unknown_event_md, PackageResources.unknown_flag_md,
        PackageResources.unknown_key_md, PackageResources.unknown_verb_md, PackageResources.unreadable_file_md,
        PackageResources.version_refused_md, PackageResources.version_unknown_md, PackageResources.watch_unavailable_md,
        PackageResources.worker_died_md, PackageResources.worker_hung_md, PackageResources.worker_lied_md,
        PackageResources.wrong_type_md,
    ]

    static let warnings = PackageResources.warnings_md
}
