package example.dentfix;

public record Claim(String id, String plate, long cents, String damageClass) {}
